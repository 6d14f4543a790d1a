/* SPDX-License-Identifier: MIT */
#include "thread.h"

#include "callpath.h"
#include "clock.h"
#include "note.h"
#include "pages.h"
#include "process_row.h"
#include "real.h"
#include "settings.h"
#include "small_file.h"
#include "text.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CHUNK = 32,
	CHUNKS = THREAD_LIMIT / CHUNK,
	LATE_NS = 100000, /* a thread that came to run later than this after its creation has a run
			     delay of its own */
	DELAY_PAUSE_NS = 100000000,
	REUSE_PROBES = 1024, /* records that a new thread looks at to find a free one */
	HANDLES = 16384,
	HANDLE_PROBES = 8,
	/* sizes of per-thread tables: first and most rows; 256 KiB in all */
	WAITS_FIRST = 8,
	WAITS_MOST = 512,
	BLAME_FIRST = 16,
	BLAME_MOST = 1024,
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

static struct {
	struct thread *chunks[CHUNKS]; /* atomic: installed once */
	uint32_t count;                /* atomic: records ever used */
	uint32_t hint;                 /* where the search for a free one goes on */
	uint32_t spare;                /* atomic: used records that nobody holds any more */
	uint32_t alive;                /* atomic */
	bool is_full;                  /* no further record can be had, now or later */
	bool has_displaced; /* a handle found no place in by_handle: all records may be looked at */
	uint32_t by_handle[HANDLES]; /* atomic: index + 1 of a record that had that handle; checked
					when used */
	struct series rows;
} threads = {
	.rows = {.table = TABLE_threads,
		 .row_bytes = sizeof(struct row_threads),
		 .rows_per_block = 32,
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

static struct presence *presence_at(uint32_t index)
{
	struct thread *thread = thread_at(index);

	return thread ? &thread->presence : NULL;
}

static bool have_chunk(uint32_t index)
{
	struct thread *seen = NULL;

	if (__atomic_load_n(&threads.chunks[index / CHUNK], __ATOMIC_ACQUIRE))
		return true;
	void *chunk = pages_new(CHUNK * sizeof(struct thread));
	if (!chunk)
		return false;
	pages_advise(chunk, CHUNK * sizeof(struct thread), MADV_WIPEONFORK);
	if (!__atomic_compare_exchange_n(&threads.chunks[index / CHUNK], &seen, chunk, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		pages_free(chunk, CHUNK * sizeof(struct thread));
	return true;
}

/* Two holds: its running, and the right to join it. */
static bool take(struct thread *thread)
{
	uint32_t free_holds = 0;

	return __atomic_load_n(&thread->presence.is_gone, __ATOMIC_ACQUIRE) &&
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
	tally_prepare(&thread->tally, thread->number);
	hashed_prepare(&thread->waits, TABLE_waits, sizeof(struct row_waits), thread->number,
		       WAITS_FIRST, WAITS_MOST);
	hashed_prepare(&thread->blame, TABLE_blame, sizeof(struct row_blame), thread->number,
		       BLAME_FIRST, BLAME_MOST);
	hashed_prepare(&thread->samples, TABLE_samples, sizeof(struct row_samples), thread->number,
		       SAMPLES_FIRST, SAMPLES_MOST);
}

/* A number that no record has; false: there is no further one. */
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

/* The row first: a record without one would be a number that is gone for good. */
static struct thread *make(void)
{
	uint32_t number, index;

	if (threads.is_full)
		return NULL;
	struct row_threads *row = series_add(&threads.rows, &number);
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
	concurrency_set_threads(presence_at, index + 1);
	return thread;
}

/* Before the thread starts: its creator may join it, and so write to it, before it has begun. */
static void reset_life(struct thread *thread)
{
	memset(&thread->presence, 0, sizeof thread->presence);
	memset(&thread->wait, 0, sizeof thread->wait);
	for (int i = 0; i < THREAD_MEMOS; i++)
		thread->memos[i].sp = 0;
	thread->handle = 0;
	thread->start = THREAD_NEW;
	thread->has_seen_delay = false;
	thread->is_busy = thread->is_of_mpi = thread->is_cramped = false;
	thread->is_omp_stale = true;
	thread->unlocks = 0;
	thread->end_rounds = 0;
	thread->sampled_cpu_ns = 0;
	thread->judged_ns = thread->judged_own_ns = 0;
	thread->cpu_ns = 0;
	thread->joined_since_ns = thread->join_charged_ns = 0;
	thread->last_condition = 0;
	thread->signalled_mutex = NULL;
	thread->last_release.address = NULL;
	thread->timer = -1;
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

void thread_cancel_reservation(struct thread *thread)
{
	__atomic_store_n(&thread->presence.is_gone, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&thread->holds, 0, __ATOMIC_RELEASE);
	__atomic_fetch_add(&threads.spare, 1, __ATOMIC_RELAXED);
}

void thread_hold(struct thread *thread)
{
	__atomic_fetch_add(&thread->holds, 1, __ATOMIC_RELAXED);
}

void thread_release(struct thread *thread)
{
	/* release and acquire: the next user of the record sees everything done to it */
	if (__atomic_sub_fetch(&thread->holds, 1, __ATOMIC_ACQ_REL) == 0)
		__atomic_fetch_add(&threads.spare, 1, __ATOMIC_RELAXED);
}

/* ---- by handle ---- */

/* Also false of a record that has no handle yet: 0 is nobody's. */
static bool has_handle(const struct thread *thread, pthread_t handle)
{
	return thread && __atomic_load_n(&thread->handle, __ATOMIC_RELAXED) == handle &&
	       __atomic_load_n(&thread->holds, __ATOMIC_ACQUIRE);
}

static uint32_t *handle_slot(pthread_t handle, uint32_t probe)
{
	uint32_t hash = (uint32_t)(((uint64_t)handle * 0x9e3779b97f4a7c15u) >> 50);

	return &threads.by_handle[(hash + probe) % HANDLES];
}

/* A slot is free when what it names is of no use any more. */
static bool is_stale(uint32_t at)
{
	const struct thread *thread = at ? thread_at(at - 1) : NULL;

	return !thread || !__atomic_load_n(&thread->holds, __ATOMIC_RELAXED);
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
	while (__atomic_load_n(&thread->start, __ATOMIC_ACQUIRE) == THREAD_HELD_BACK)
		syscall(SYS_sched_yield);
}

/* ---- what the kernel knows ---- */

/* Run delay (ns): the second number of schedstat. 0, or negative: -EAGAIN not now, else this kernel
 * has none. */
static int read_run_delay(const char *path, uint64_t *delay_ns)
{
	char buffer[96];
	const char *cursor = buffer;
	long length = small_file_read(path, buffer, sizeof buffer);

	uint64_t cpu_ns = text_read_number(&cursor);
	*delay_ns = text_read_number(&cursor);
	return length < 0 ? (int)length : cpu_ns > 0 ? 0 : -ENODATA;
}

static int read_own_run_delay(uint64_t *delay_ns)
{
	return read_run_delay("/proc/thread-self/schedstat", delay_ns);
}

static uint64_t of_timeval(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Raw: getrusage is plain enough, but errno must stay. */
static void read_usage(struct rusage *usage)
{
	getrusage(RUSAGE_THREAD, usage);
}

/* ---- life ---- */

static void begin_row(struct thread *thread, uint32_t flags)
{
	struct row_threads *row = thread->row;

	if (row->lives)
		row->past_life_ns += row->updated_ns - row->birth_ns;
	row->birth_ns = row->updated_ns = thread->birth_ns;
	row->start = thread->start_path;
	row->flags = (row->flags & ~(uint32_t)THREAD_UNSAMPLED) | flags | THREAD_ALIVE;
	row->ready_known = row->lives ? row->ready_known : 1;
	thread->past_cpu_ns = row->user_ns + row->system_ns;
	thread->past_system_ns = row->system_ns;
	thread->past_ready_ns = row->ready_ns;
	thread->past_voluntary = row->voluntary_switches;
	thread->past_involuntary = row->involuntary_switches;
	thread->past_unlocks = row->unlocks;
	thread->past_minor = row->minor_faults;
	thread->past_major = row->major_faults;
	row->lives++;
	__atomic_store_n(&row->tid, (uint32_t)thread->tid, __ATOMIC_RELEASE);
}

/* What the kernel counted before this life began (the first thread: before the tool came up). */
static void read_birth(struct thread *thread, bool is_first)
{
	struct rusage usage;

	thread->birth_run_delay_ns = 0;
	if (thread->counts_from_zero) {
		thread->birth_system_ns = 0; /* birth_cpu_ns: what the fork itself took */
		thread->birth_voluntary = thread->birth_involuntary = 0;
		thread->birth_minor = thread->birth_major = 0;
		return;
	}
	read_usage(&usage);
	thread->birth_cpu_ns = clock_thread_cpu_ns();
	thread->birth_system_ns = of_timeval(usage.ru_stime);
	thread->birth_voluntary = (uint64_t)usage.ru_nvcsw;
	thread->birth_involuntary = (uint64_t)usage.ru_nivcsw;
	thread->birth_minor = (uint64_t)usage.ru_minflt;
	thread->birth_major = (uint64_t)usage.ru_majflt;
	/* Reading the delay costs 5 us, most of what a short thread costs: only where it can
	 * matter. */
	if (is_first || thread->birth_ns - thread->created_ns > thread->birth_cpu_ns + LATE_NS)
		read_own_run_delay(&thread->birth_run_delay_ns);
}

void thread_begin(struct thread *thread, uint32_t flags, struct unwind_stack stack)
{
	thread->tid = (int32_t)syscall(SYS_gettid);
	thread_set_handle(thread, pthread_self());
	thread->birth_ns = flags & THREAD_FIRST ? thread->created_ns : clock_now_ns();
	if (!thread->created_ns)
		thread->created_ns = thread->birth_ns;
	thread->stack = stack;
	thread->next_delay_look_ns = thread->birth_ns + DELAY_PAUSE_NS;
	read_birth(thread, flags & THREAD_FIRST);
	begin_row(thread, flags);
	uint32_t alive = __atomic_add_fetch(&threads.alive, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&process_row->threads_started, 1, __ATOMIC_RELAXED);
	if (alive > process_row->threads_peak)
		process_row->threads_peak = alive;
	if (flags & THREAD_FIRST) {
		thread->presence.tid = (uint32_t)thread->tid;
		thread->presence.row = thread->row;
	} else {
		concurrency_born(&thread->presence, (uint32_t)thread->tid, thread->row,
				 flags & THREAD_OF_MPI ? CAUSE_MPI : CAUSE_OTHER, thread->birth_ns);
	}
	/* last: from here on wrapped calls and samples are this record's */
	__atomic_signal_fence(__ATOMIC_RELEASE);
	thread_set_current(thread);
}

static void update_delay(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	uint64_t delay_ns;
	uint64_t off_ns =
		now_ns - thread->birth_ns > cpu_ns ? now_ns - thread->birth_ns - cpu_ns : 0;

	thread->next_delay_look_ns = now_ns + DELAY_PAUSE_NS;
	int error = read_own_run_delay(&delay_ns);
	/* refused for now (descriptors.h): what an earlier look told, 0.1 s ago or so, stays */
	if (error == -EAGAIN && thread->has_seen_delay)
		return;
	if (error) {
		thread->row->ready_known = 0;
		note_once(error == -EAGAIN ? NOTE_READY_REFUSED : NOTE_NO_SCHEDSTAT,
			  (uint32_t)-error);
		return;
	}
	thread->has_seen_delay = true;
	if (thread->row->lives == 1)
		thread->row->ready_known = 1; /* a look that was refused is made up for */
	delay_ns =
		delay_ns > thread->birth_run_delay_ns ? delay_ns - thread->birth_run_delay_ns : 0;
	thread->row->ready_ns = thread->past_ready_ns + (delay_ns < off_ns ? delay_ns : off_ns);
	real.prctl(PR_GET_NAME, thread->row->name);
}

/* The kernel's split of CPU time into user and system is coarse, its sum and the thread's CPU clock
 * are exact. */
static void write_cpu(struct thread *thread, uint64_t cpu_ns, uint64_t system_ns)
{
	struct row_threads *row = thread->row;

	system_ns = system_ns > thread->birth_system_ns ? system_ns - thread->birth_system_ns : 0;
	if (system_ns > cpu_ns)
		system_ns = cpu_ns;
	thread->cpu_ns = cpu_ns;
	row->system_ns = thread->past_system_ns + system_ns;
	row->user_ns = thread->past_cpu_ns + cpu_ns - row->system_ns;
}

void thread_update(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, bool with_delay)
{
	struct rusage usage;
	struct row_threads *row = thread->row;

	read_usage(&usage);
	cpu_ns -= thread->birth_cpu_ns;
	write_cpu(thread, cpu_ns, of_timeval(usage.ru_stime));
	row->voluntary_switches =
		thread->past_voluntary + (uint64_t)usage.ru_nvcsw - thread->birth_voluntary;
	row->involuntary_switches =
		thread->past_involuntary + (uint64_t)usage.ru_nivcsw - thread->birth_involuntary;
	row->unlocks = thread->past_unlocks + thread->unlocks;
	row->minor_faults = thread->past_minor + (uint64_t)usage.ru_minflt - thread->birth_minor;
	row->major_faults = thread->past_major + (uint64_t)usage.ru_majflt - thread->birth_major;
	/* a thread that never left its processor was never ready */
	bool has_switched = row->voluntary_switches > thread->past_voluntary ||
			    row->involuntary_switches > thread->past_involuntary;
	if (has_switched && (with_delay || now_ns >= thread->next_delay_look_ns))
		update_delay(thread, now_ns, cpu_ns);
	row->updated_ns = now_ns;
}

void thread_end(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	struct row_threads *row = thread->row;

	thread_update(thread, now_ns, cpu_ns, true);
	if (!row->name[0])
		real.prctl(PR_GET_NAME, row->name);
	row->flags &= ~(uint32_t)THREAD_ALIVE;
	__atomic_fetch_sub(&threads.alive, 1, __ATOMIC_RELAXED);
	concurrency_died(&thread->presence, now_ns);
	thread->created_ns = 0;
}

/* ---- at the end of the process, from outside ---- */

static void task_path(char *buffer, size_t capacity, int32_t tid, const char *file)
{
	struct text text = {buffer, capacity, 0};

	text_add(&text, "/proc/self/task/");
	text_add_number(&text, (uint64_t)tid);
	text_add(&text, file);
}

static void read_other_name(struct thread *thread)
{
	char path[64], name[20];

	task_path(path, sizeof path, thread->tid, "/comm");
	long length = small_file_read(path, name, sizeof name);
	if (length > 1 && length <= 16) {
		name[length - 1] = '\0';
		memcpy(thread->row->name, name, (size_t)length);
	}
}

uint64_t thread_read_other_cpu(const struct thread *thread)
{
	/* the kernel's number of another thread's CPU clock: see clock_getres(2) */
	clockid_t clock = (clockid_t)(~(unsigned)thread->tid << 3 | 6);
	struct timespec time = {0};
	int saved = errno;

	if (syscall(SYS_clock_gettime, clock, &time))
		time = (struct timespec){0};
	errno = saved;
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void thread_update_other(struct thread *thread, uint64_t now_ns)
{
	char path[64];
	uint64_t delay_ns, cpu_ns = thread_read_other_cpu(thread);
	struct row_threads *row = thread->row;

	row->unlocks = thread->past_unlocks + thread->unlocks;
	if (cpu_ns < thread->birth_cpu_ns + thread->cpu_ns)
		return;
	cpu_ns -= thread->birth_cpu_ns;
	/* it runs on while we look */
	if (cpu_ns > now_ns - thread->birth_ns && now_ns > thread->birth_ns)
		cpu_ns = now_ns - thread->birth_ns;
	/* the kernel tells the split of another thread only at a cost: the part since the last look
	 * counts as user */
	write_cpu(thread, cpu_ns,
		  row->system_ns - thread->past_system_ns + thread->birth_system_ns);
	task_path(path, sizeof path, thread->tid, "/schedstat");
	if (!read_run_delay(path, &delay_ns) && delay_ns >= thread->birth_run_delay_ns) {
		uint64_t off_ns = now_ns - thread->birth_ns - cpu_ns;
		delay_ns -= thread->birth_run_delay_ns;
		row->ready_ns = thread->past_ready_ns + (delay_ns < off_ns ? delay_ns : off_ns);
	}
	read_other_name(thread);
	row->updated_ns = now_ns;
}

void thread_reset(void)
{
	/* where the kernel did not wipe them at the fork (before Linux 4.14) */
	if (thread_count() && !thread_were_wiped())
		for (uint32_t i = 0; i < CHUNKS && threads.chunks[i]; i++)
			memset(threads.chunks[i], 0, CHUNK * sizeof(struct thread));
	threads.count = threads.hint = threads.alive = threads.spare = 0;
	threads.is_full = threads.has_displaced = false;
	memset(threads.by_handle, 0, sizeof threads.by_handle);
	series_reset(&threads.rows);
	thread_set_current(NULL);
}
