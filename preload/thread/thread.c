/* SPDX-License-Identifier: MIT */
#include "preload/thread/thread.h"

#include "preload/base/hash.h"
#include "preload/base/kernel_call.h"
#include "preload/base/pages.h"
#include "preload/base/patience.h"
#include "preload/concurrency/event_batch.h"
#include "preload/file/note.h"
#include "preload/process/settings.h"
#include "preload/stacks/callpath.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CHUNK = 4, /* so that a program with few threads takes little */
	CHUNKS = THREAD_LIMIT / CHUNK,
	CHUNK_BYTES = CHUNK * sizeof(struct thread),
	REUSE_PROBES = 1024, /* records among which a new thread looks for a free one */
	HANDLES = 16384,
	HANDLES_OF_PAGE = 1024,
	HANDLE_PROBES = 8,
	START_PATIENCE_NS = 1000000000, /* its creator reads one word */
	/* sizes of per-thread tables: first and most rows */
	WAITS_FIRST = 8,
	WAITS_MOST = 512,
	BLAME_FIRST = 16,
	BLAME_MOST = 4096, /* so that it does not fill up before `waits` */
	SAMPLES_FIRST = 32,
	SAMPLES_MOST = 2048,
};

__thread struct thread *thread_self;
__thread struct thread *sync_self;
__thread bool thread_is_unobserved;

void thread_set_current(struct thread *thread)
{
	thread_self = thread;
	sync_self = settings.sync ? thread : NULL;
}

void (*thread_renew_io)(struct thread *thread);

static struct {
	struct thread *chunks[CHUNKS]; /* atomic: installed once */
	uint32_t count;                /* atomic: records ever used */
	uint32_t hint;                 /* where the search for a free one continues */
	uint32_t spare;                /* atomic: records that were used and have no holds */
	bool is_full;                  /* no further record can be made */
	uint32_t absent;               /* atomic: records whose threads have not taken them */
	bool has_displaced;            /* by_handle had no room: search all records */
	uint32_t handle_pages;         /* atomic, bits: of the next, those ever written to */
	uint32_t
		by_handle[HANDLES]; /* atomic: index + 1 of a record, which has or had the handle */
	struct row_array rows;
} threads = {
	.rows = {.table = TABLE_threads,
		 .row_bytes = sizeof(struct row_threads),
		 .rows_per_block = 16, /* the smallest profile has room for one block */
		 .limit = THREAD_LIMIT,
		 .next = 1},
};

/* ---- records ---- */

uint32_t thread_count(void)
{
	return __atomic_load_n(&threads.count, __ATOMIC_ACQUIRE);
}

struct thread *thread_at(uint32_t index)
{
	struct thread *chunk = __atomic_load_n(&threads.chunks[index / CHUNK], __ATOMIC_ACQUIRE);

	return chunk ? &chunk[index % CHUNK] : NULL;
}

bool thread_were_wiped(void)
{
	/* the first record always has a row */
	return thread_count() && !thread_at(0)->row;
}

_Static_assert((int)THREAD_LIMIT <= (int)EVENT_RING_LIMIT, "a bit for each: news.h");

static struct event_ring *event_ring_at(uint32_t index)
{
	struct thread *thread = thread_at(index);

	return thread ? &thread->event_ring : NULL;
}

static bool have_chunk(uint32_t index)
{
	struct thread *seen = NULL;

	if (__atomic_load_n(&threads.chunks[index / CHUNK], __ATOMIC_ACQUIRE))
		return true;
	void *chunk = pages_new(CHUNK_BYTES);
	if (!chunk)
		return false;
	pages_advise(chunk, CHUNK_BYTES, MADV_WIPEONFORK);
	if (!__atomic_compare_exchange_n(&threads.chunks[index / CHUNK], &seen, chunk, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		pages_free(chunk, CHUNK_BYTES);
	return true;
}

/* Two holds: while it runs, and while it may be joined. */
static bool take(struct thread *thread)
{
	uint32_t free_holds = 0;

	return __atomic_load_n(&thread->event_ring.is_gone, __ATOMIC_ACQUIRE) &&
	       __atomic_compare_exchange_n(&thread->holds, &free_holds, 2, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static struct thread *reuse(void)
{
	uint32_t count = thread_count();
	uint32_t from = __atomic_load_n(&threads.hint, __ATOMIC_RELAXED);
	uint32_t probes = count < REUSE_PROBES ? count : REUSE_PROBES;

	if (!__atomic_load_n(&threads.spare, __ATOMIC_RELAXED))
		return NULL;
	for (uint32_t i = 0; i < probes; i++) {
		uint32_t index = (from + i) % count;
		struct thread *thread = thread_at(index);
		if (thread && thread->row && take(thread)) {
			__atomic_fetch_sub(&threads.spare, 1, __ATOMIC_RELAXED);
			__atomic_store_n(&threads.hint, index + 1, __ATOMIC_RELAXED);
			return thread;
		}
	}
	__atomic_store_n(&threads.hint, from + probes, __ATOMIC_RELAXED);
	return NULL;
}

static void prepare_tables(struct thread *thread)
{
	call_counts_prepare(&thread->counts, thread->number, thread->index);
	row_hash_prepare(&thread->waits, TABLE_waits, sizeof(struct row_waits), thread->number,
			 WAITS_FIRST, WAITS_MOST);
	row_hash_prepare(&thread->blame, TABLE_blame, sizeof(struct row_blame), thread->number,
			 BLAME_FIRST, BLAME_MOST);
	row_hash_prepare(&thread->samples, TABLE_samples, sizeof(struct row_samples),
			 thread->number, SAMPLES_FIRST, SAMPLES_MOST);
}

/* A new record's index; false: there is none. */
static bool take_index(uint32_t *index)
{
	*index = __atomic_load_n(&threads.count, __ATOMIC_RELAXED);
	do {
		if (*index >= THREAD_LIMIT || !have_chunk(*index))
			return false;
	} while (!__atomic_compare_exchange_n(&threads.count, index, *index + 1, false,
					      __ATOMIC_RELEASE, __ATOMIC_RELAXED));
	return true;
}

/* The row first: an index without a row would be lost for good. */
static struct thread *make(void)
{
	uint32_t number, index;

	if (threads.is_full)
		return NULL;
	struct row_threads *row = event_batch_have_room(thread_count() + 1)
					  ? row_array_add(&threads.rows, &number)
					  : NULL;
	if (!row || !take_index(&index)) {
		threads.is_full = true;
		return NULL;
	}
	struct thread *thread = thread_at(index);
	thread->index = index;
	thread->number = number;
	thread->row = row;
	prepare_tables(thread);
	thread->holds = 2;
	concurrency_set_threads(event_ring_at, index + 1);
	return thread;
}

/* Before the thread starts, because its creator may join it, and so write to it, before it runs. */
static void reset_life(struct thread *thread)
{
	memset(&thread->event_ring, 0, sizeof thread->event_ring);
	thread->event_ring.index = thread->index;
	memset(&thread->wait, 0, sizeof thread->wait);
	for (int i = 0; i < THREAD_MEMOS; i++)
		thread->memos[i].sp = 0;
	thread->handle = 0;
	thread->start = THREAD_NEW;
	thread->is_absent = 0;
	thread->was_blocked = false;
	thread->has_seen_delay = false;
	thread->first_name[0] = '\0';
	thread->starter_path = 0;
	thread->is_busy = thread->is_of_mpi = thread->is_cramped = false;
	thread->is_omp_stale = true;
	thread->unlocks = 0;
	thread->end_rounds = 0;
	thread->sampled_cpu_ns = 0;
	thread->sample_budget = (struct sample_budget){0};
	thread->cpu_ns = 0;
	thread->joined_since_ns = thread->join_charged_ns = 0;
	thread->last_condition = 0;
	thread->held_io.io.ns = 0;
	thread->signals = 0;
	thread->signalled_mutex = NULL;
	thread->told = NULL;
	thread->told_ns = 0;
	thread->last_release.address = NULL;
	thread->timer = -1;
	if (thread->rate.told_ns)
		memset(&thread->rate, 0, sizeof thread->rate);
}

struct thread *thread_reserve(void)
{
	bool is_crowded = thread_count() >= THREAD_SINGLES;
	struct thread *thread = is_crowded ? reuse() : NULL;

	if (thread)
		note_once(NOTE_THREADS_FOLDED, THREAD_SINGLES);
	if (!thread)
		thread = make();
	if (thread)
		reset_life(thread);
	else
		note_once(NOTE_THREADS_UNOBSERVED, thread_count());
	return thread;
}

struct thread *thread_reserve_next(void)
{
	struct thread *thread = make();

	if (thread)
		reset_life(thread);
	return thread;
}

void thread_begin_birth(struct thread *thread)
{
	__atomic_store_n(&thread->births, 2, __ATOMIC_RELEASE);
}

void thread_end_birth(struct thread *thread)
{
	__atomic_fetch_sub(&thread->births, 1, __ATOMIC_RELEASE);
}

void thread_cancel_reservation(struct thread *thread)
{
	__atomic_store_n(&thread->births, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&thread->event_ring.is_gone, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&thread->holds, 0, __ATOMIC_RELEASE);
	__atomic_fetch_add(&threads.spare, 1, __ATOMIC_RELAXED);
}

void thread_hold(struct thread *thread)
{
	__atomic_fetch_add(&thread->holds, 1, __ATOMIC_RELAXED);
}

void thread_release(struct thread *thread)
{
	/* release and acquire: the next user of the record sees everything that was done to it */
	if (__atomic_sub_fetch(&thread->holds, 1, __ATOMIC_ACQ_REL) == 0)
		__atomic_fetch_add(&threads.spare, 1, __ATOMIC_RELAXED);
}

/* ---- threads that were there before ---- */

void thread_set_absent(struct thread *thread)
{
	__atomic_fetch_add(&threads.absent, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&thread->is_absent, 1, __ATOMIC_RELEASE);
}

struct thread *thread_own_absent(void)
{
	if (likely(!__atomic_load_n(&threads.absent, __ATOMIC_RELAXED)))
		return NULL;
	int32_t tid = (int32_t)kernel_call(SYS_gettid);
	for (uint32_t i = 0, count = thread_count(); i < count; i++) {
		struct thread *thread = thread_at(i);
		if (thread && __atomic_load_n(&thread->is_absent, __ATOMIC_ACQUIRE) &&
		    thread->tid == tid)
			return thread;
	}
	return NULL;
}

struct thread *thread_take_absent(void)
{
	struct thread *thread = thread_own_absent();

	if (thread) {
		__atomic_store_n(&thread->is_absent, 0, __ATOMIC_RELAXED);
		__atomic_fetch_sub(&threads.absent, 1, __ATOMIC_RELAXED);
	}
	return thread;
}

/* ---- by handle ---- */

/* Also false for a record without a handle yet: 0 is no thread's. */
static bool has_handle(const struct thread *thread, pthread_t handle)
{
	return thread && __atomic_load_n(&thread->handle, __ATOMIC_RELAXED) == handle &&
	       __atomic_load_n(&thread->holds, __ATOMIC_ACQUIRE);
}

static uint32_t *handle_slot(pthread_t handle, uint32_t probe)
{
	return &threads.by_handle[(hash_slot((uint64_t)handle, HANDLES) + probe) % HANDLES];
}

/* A slot is free if its record is no longer in use. */
static bool is_stale(uint32_t at)
{
	const struct thread *thread = at ? thread_at(at - 1) : NULL;

	return !thread || !__atomic_load_n(&thread->holds, __ATOMIC_RELAXED);
}

static void note_page_of(const uint32_t *slot)
{
	uint32_t page = 1u << (uint32_t)(slot - threads.by_handle) / HANDLES_OF_PAGE;

	if (!(__atomic_load_n(&threads.handle_pages, __ATOMIC_RELAXED) & page))
		__atomic_fetch_or(&threads.handle_pages, page, __ATOMIC_SEQ_CST);
}

/* In a fork child, each page that is written to is copied by the kernel. */
static void forget_handles(void)
{
	for (uint32_t i = 0; i < HANDLES / HANDLES_OF_PAGE; i++)
		if (threads.handle_pages & 1u << i)
			memset(&threads.by_handle[i * HANDLES_OF_PAGE], 0,
			       HANDLES_OF_PAGE * sizeof *threads.by_handle);
	threads.handle_pages = 0;
}

void thread_set_handle(struct thread *thread, pthread_t handle)
{
	uint32_t *slot = NULL;

	__atomic_store_n(&thread->handle, handle, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < HANDLE_PROBES; i++) {
		uint32_t at = __atomic_load_n(handle_slot(handle, i), __ATOMIC_RELAXED);
		if (at == thread->index + 1)
			return;
		if (!slot && is_stale(at))
			slot = handle_slot(handle, i);
	}
	if (!slot) {
		slot = handle_slot(handle, 0);
		__atomic_store_n(&threads.has_displaced, true, __ATOMIC_RELAXED);
	}
	note_page_of(slot);
	__atomic_store_n(slot, thread->index + 1, __ATOMIC_RELEASE);
}

struct thread *thread_find(pthread_t handle)
{
	for (uint32_t i = 0; i < HANDLE_PROBES; i++) {
		uint32_t at = __atomic_load_n(handle_slot(handle, i), __ATOMIC_ACQUIRE);
		if (at && has_handle(thread_at(at - 1), handle))
			return thread_at(at - 1);
	}
	if (likely(!__atomic_load_n(&threads.has_displaced, __ATOMIC_RELAXED)))
		return NULL;
	for (uint32_t i = 0, count = thread_count(); i < count; i++)
		if (has_handle(thread_at(i), handle))
			return thread_at(i);
	return NULL;
}

/* ---- the start ---- */

bool thread_hold_back(struct thread *thread)
{
	uint32_t seen = THREAD_NEW;

	return __atomic_compare_exchange_n(&thread->start, &seen, THREAD_HELD_BACK, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void thread_let_go(struct thread *thread)
{
	__atomic_store_n(&thread->start, THREAD_KNOWN, __ATOMIC_RELEASE);
}

void thread_pass(struct thread *thread)
{
	uint32_t seen = THREAD_NEW;

	if (__atomic_compare_exchange_n(&thread->start, &seen, THREAD_RUNS, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return;
	struct patience patience = {0};
	while (__atomic_load_n(&thread->start, __ATOMIC_ACQUIRE) == THREAD_HELD_BACK &&
	       patience_left(&patience, START_PATIENCE_NS))
		;
}

void thread_reset(void)
{
	/* if the kernel did not wipe them at the fork (before Linux 4.14) */
	if (thread_count() && !thread_were_wiped())
		for (uint32_t i = 0; i < CHUNKS && threads.chunks[i]; i++)
			memset(threads.chunks[i], 0, CHUNK_BYTES);
	threads.count = threads.hint = threads.spare = threads.absent = 0;
	threads.is_full = threads.has_displaced = false;
	forget_handles();
	row_array_reset(&threads.rows);
	thread_set_current(NULL);
}
