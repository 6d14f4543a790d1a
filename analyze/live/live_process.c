/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* process_vm_readv */
#include "analyze/live/live_process.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/live/live_kernel.h"
#include "analyze/live/live_rows.h"
#include "analyze/model/process/mpi_source.h"
#include "analyze/model/sync/open_wait.h"
#include "analyze/model/threads/thread_role.h"
#include "preload/file/vocabulary.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

/* ---- who holds a lock: glibc writes the thread's number into it. Read from the process's memory
 * without stopping it, so the answer is of an instant that may be over; needs the permission to
 * trace the process (ptrace(2)) */

enum live_holder_state {
	LIVE_HOLDER_NONE, /* what is waited for is held by nobody, now or ever */
	LIVE_HOLDER_KNOWN,
	LIVE_HOLDER_REFUSED, /* the process's memory may not be read */
};

struct live_holder {
	enum live_holder_state state;
	uint32_t tid;
};

/* glibc's own names: the layout is part of its ABI, and the same since 2.30. */
static size_t offset_of_holder(uint64_t kind)
{
	return kind == OBJECT_MUTEX ? offsetof(pthread_mutex_t, __data.__owner)
				    : offsetof(pthread_rwlock_t, __data.__cur_writer);
}

/* kind: enum object_kind; only mutexes and rwlocks (their writer) have a holder here. */
static struct live_holder live_holder_read(uint64_t pid, uint64_t kind, uint64_t address)
{
	struct live_holder holder = {LIVE_HOLDER_NONE, 0};

	if ((kind != OBJECT_MUTEX && kind != OBJECT_RWLOCK) || !address)
		return holder;
	struct iovec here = {&holder.tid, sizeof holder.tid};
	struct iovec there = {(void *)(uintptr_t)(address + offset_of_holder(kind)),
			      sizeof holder.tid};

	if (process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof holder.tid)
		holder.state = LIVE_HOLDER_REFUSED;
	else if (holder.tid)
		holder.state = LIVE_HOLDER_KNOWN;
	return holder;
}

/* ---- one process */

struct live_watched *live_watched_create(const char *path)
{
	struct live_watched *watched = memory_allocate(1, sizeof *watched);

	watched->path = memory_copy_text(path);
	watched->sums = live_sums_create();
	watched->usages.table = live_usages_create();
	watched->pasts = live_pasts_create();
	return watched;
}

void live_watched_destroy(struct live_watched *watched)
{
	free(watched->path);
	live_sums_destroy(watched->sums);
	keyed_table_destroy(watched->usages.table);
	live_pasts_destroy(watched->pasts);
	free(watched->shown.status);
	free(watched);
}

/* ---- what a thread waits for, in words */

/* A thread that has held what it waits for so long is locked by itself. */
enum { SELF_LOCKED_NS = 100000000 };

static const char *holder_name(const struct profile *profile, uint64_t tid)
{
	for (size_t i = 1; i < profile->threads.count; i++)
		if (profile->threads.rows[i].tid == tid)
			return profile->threads.rows[i].name;
	return NULL;
}

/* The owner in the lock's memory is of this lock only if the row stands for one lock alone. */
static void find_holder(struct live_thread *thread, const struct profile *profile,
			const struct profile_thread *row)
{
	const struct profile_object *object = &profile->objects.rows[row->waiting_object];

	if (thread->cause == CAUSE_JOIN) { /* the thread's row, if it is known */
		if (row->waiting_holder && row->waiting_holder < profile->threads.count)
			thread->holder_tid = profile->threads.rows[row->waiting_holder].tid;
		return;
	}
	if (!cause_is_lock(thread->cause) || object->flags & OBJECT_MANY || object->members > 1)
		return;
	struct live_holder holder = live_holder_read(thread->pid, object->kind, object->address);

	thread->is_holder_refused = holder.state == LIVE_HOLDER_REFUSED;
	/* one that got the lock just now has not yet said that its wait is over */
	bool is_own = holder.tid == thread->tid && thread->waiting_ns < SELF_LOCKED_NS;
	if (holder.state == LIVE_HOLDER_KNOWN && !is_own && holder_name(profile, holder.tid))
		thread->holder_tid = holder.tid;
}

/* thread: index in the profile. */
static void describe(struct live_thread *thread, struct names *names, const struct profile *profile,
		     size_t index)
{
	const struct profile_thread *row = &profile->threads.rows[index];
	const char *place;

	thread->name = memory_copy_text(thread_shown_name(names, profile, index));
	if (!thread->waiting_ns || !row->waiting_since_ns)
		return;
	place = live_place_name(names, profile, row->waiting_path);
	thread->place = place ? memory_copy_text(place) : NULL;
	if (!row->waiting_object)
		return;
	thread->object = memory_copy_text(live_object_name(names, profile, row->waiting_object,
							   open_wait_operation(profile, row)));
	find_holder(thread, profile, row);
}

/* ---- the threads of a process */

/* A thread and its row, until the most important ones are described. */
struct candidate {
	struct live_thread thread;
	size_t index;
};

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->thread.running_ns != b->thread.running_ns)
		return a->thread.running_ns > b->thread.running_ns ? -1 : 1;
	if (a->thread.blocked_ns != b->thread.blocked_ns)
		return a->thread.blocked_ns > b->thread.blocked_ns ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static void append(struct live_frame *frame, const struct live_thread *thread)
{
	frame->threads = memory_grow(frame->threads, frame->thread_rows, &frame->thread_capacity,
				     sizeof *frame->threads);
	frame->threads[frame->thread_rows++] = *thread;
}

static void count_state(struct live_frame *frame, enum live_state state)
{
	frame->thread_count++;
	frame->running_count += state == LIVE_RUNNING;
	frame->ready_count += state == LIVE_READY;
	frame->waiting_count +=
		state == LIVE_WAITING || state == LIVE_IDLE || state == LIVE_BLOCKED;
}

static uint64_t *omp_waits_of(const struct profile *profile)
{
	uint64_t *since = memory_allocate(profile->threads.count + 1, sizeof *since);

	for (size_t i = 0; i < profile->omp_threads.count; i++)
		since[profile->omp_threads.rows[i].thread] = profile->omp_threads.rows[i].since_ns;
	return since;
}

/* A process that has ended has threads that were alive at its end; they are shown once more. */
static size_t read_threads(struct live_watched *watched, const struct profile *profile,
			   uint64_t now_ns, struct candidate *found)
{
	struct keyed_table *next = live_usages_create();
	uint64_t *omp_since = omp_waits_of(profile);
	size_t count = 0;

	for (size_t i = 1; i < profile->threads.count; i++) {
		const struct profile_thread *row = &profile->threads.rows[i];

		if (!row->tid || (!watched->usages.is_over && !(row->flags & THREAD_ALIVE)))
			continue;
		found[count++] = (struct candidate){
			live_thread_read(profile, i, omp_since[i], now_ns, &watched->usages, next),
			i};
	}
	free(omp_since);
	keyed_table_destroy(watched->usages.table);
	watched->usages.table = next;
	return count;
}

/* Takes the candidates; the most important ones are described. */
static void add_threads(struct live_watched *watched, struct names *names,
			const struct profile *profile, struct candidate *found, size_t count,
			struct live_frame *frame)
{
	if (count)
		qsort(found, count, sizeof *found, compare_candidates);
	for (size_t i = 0; i < count; i++) {
		struct live_thread *thread = &found[i].thread;

		if (!watched->usages.is_over)
			count_state(frame, thread->state);
		if (i >= LIVE_THREADS_MAX)
			continue;
		thread->rank = mpi_rank_of(profile);
		describe(thread, names, profile, found[i].index);
		append(frame, thread);
	}
	watched->shown.threads = watched->usages.is_over ? 0 : count;
	free(found);
}

/* What the threads, and all of them together, called since the reading before. */
static void take_counts(struct live_watched *watched, const struct profile *profile,
			uint64_t now_ns, struct candidate *found, size_t count)
{
	struct live_counts *counts = live_counts_of(profile);
	struct live_process *shown = &watched->shown;

	live_pasts_begin(watched->pasts);
	for (size_t i = 0; i < count; i++) {
		found[i].thread.has_io = profile->process.io_is_counted;
		found[i].thread.is_server = counts[0].requests;
		live_pasts_take(watched->pasts, &counts[found[i].index], now_ns, &found[i].thread);
	}
	shown->has_io = profile->process.io_is_counted;
	shown->is_server = counts[0].requests;
	shown->grown = live_counts_between(&watched->counts, &counts[0]);
	watched->counts = counts[0];
	free(counts);
}

/* ---- the process */

static uint64_t cpu_of_rows(const struct profile *profile)
{
	uint64_t sum = 0;

	for (size_t i = 1; i < profile->threads.count; i++)
		sum += profile->threads.rows[i].user_ns + profile->threads.rows[i].system_ns;
	return sum;
}

/* The first reading, and that of a process that has ended, have the rows' sums. What they missed of
 * a living process is what its threads used since their last sample or wait. */
static uint64_t grown_cpu(struct live_watched *watched, const struct profile *profile)
{
	uint64_t before = watched->cpu_ns, rows = cpu_of_rows(profile), clock;

	watched->is_cpu_known =
		!watched->usages.is_over &&
		live_kernel_cpu(profile->header.pid, profile->process.pid_namespace, &clock);
	if (watched->usages.is_over && profile->process.cpu_clock_ns > rows)
		rows = profile->process.cpu_clock_ns;
	watched->cpu_ns = watched->is_cpu_known ? clock : rows;
	if (!watched->usages.at_ns)
		return rows;
	return watched->cpu_ns > before ? watched->cpu_ns - before : 0;
}

static uint64_t mpi_growth(const struct live_sums *sums)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < live_sums_count(sums); i++) {
		uint64_t growth[LIVE_VALUES];

		if (live_sums_row(sums, i, growth)->key.what == LIVE_MPI)
			sum += growth[0];
	}
	return sum;
}

static void take_levels(struct live_watched *watched, const struct profile *profile)
{
	const struct live_kinds before = watched->kinds;
	const struct live_process *shown = &watched->shown;

	watched->kinds = live_kinds_of(profile);
	watched->grown = live_levels_between(&before, &watched->kinds);
	if (!live_levels_total(watched->grown.on_ns))
		live_levels_guess(&watched->grown, shown->interval_ns, shown->cpu_ns);
	else if (shown->interval_ns)
		live_levels_calibrate(&watched->grown,
				      (double)shown->cpu_ns / (double)shown->interval_ns,
				      profile->process.processors);
}

void live_process_read(struct live_watched *watched, struct names *names,
		       const struct profile *profile, const struct process_life *life,
		       uint64_t now_ns, size_t rows, struct live_frame *frame)
{
	struct live_process *shown = &watched->shown;
	uint64_t from_ns = watched->usages.at_ns ? watched->usages.at_ns : profile->header.start_ns;

	watched->usages.is_over = watched->is_over = life->state != LIFE_RUNNING;
	watched->usages.asked = 0;
	if (watched->is_over)
		now_ns = life->end_ns;
	free(shown->status);
	*shown = (struct live_process){
		.pid = profile->header.pid,
		.rank = mpi_rank_of(profile),
		.parent_pid = profile->process.parent_pid,
		.start_ns = profile->header.start_ns,
		.host = names_keep(names, profile->process.host),
		.pid_namespace = profile->process.pid_namespace,
		.command = names_keep(names, profile->process.command),
		.status = process_life_text(life),
		.is_alive = !watched->is_over,
		.is_fresh = true,
		.interval_ns = now_ns > from_ns ? now_ns - from_ns : 0,
	};
	shown->cpu_ns = grown_cpu(watched, profile);
	/* The kernel is asked at once: to look up names may take a tenth of a second. */
	struct candidate *threads = memory_allocate(profile->threads.count + 1, sizeof *threads);
	size_t thread_count = read_threads(watched, profile, now_ns, threads);

	take_counts(watched, profile, now_ns, threads, thread_count);
	live_sums_begin(watched->sums);
	live_rows_add(watched->sums, names, profile, now_ns);
	live_rows_name(watched->sums, names, profile, rows, frame);
	shown->mpi_ns = mpi_growth(watched->sums);
	add_threads(watched, names, profile, threads, thread_count, frame);
	take_levels(watched, profile);
	watched->usages.at_ns = now_ns;
}
