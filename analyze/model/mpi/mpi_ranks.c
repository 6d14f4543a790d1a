/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_ranks.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/idle_threads.h"

#include <math.h>
#include <stdlib.h>

/* Ready time outside of MPI cannot be told from that inside: above this share of the lifetime,
 * useful time that was inferred from the waits is only an estimate. */
#define READY_SHARE_MAX 0.02
/* Records that miss less than this share of the useful time miss only the first and last
 * instants. */
#define UNSEEN_SHARE_MAX 0.02

/* ---- threads */

/* A helper that the MPI library started for itself. */
static bool is_library(const struct profile_thread *thread)
{
	return thread->flags & THREAD_OF_MPI;
}

static uint64_t library_lives(const struct profile_thread *thread)
{
	if (!is_library(thread))
		return 0;
	return thread->lives ? thread->lives : 1;
}

struct change {
	uint64_t time_ns;
	int by;
};

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? 1 : -1;
	return a->by - b->by; /* ends before begins */
}

/* CPU time of the busiest thread. */
static double busiest_of(const struct mpi_source *source)
{
	double most = 0;

	for (size_t i = 0; i < source->thread_count; i++)
		most = fmax(most, (double)thread_time_cpu(&source->threads[i]));
	return most;
}

/* The most threads of a kind that were alive at once, without idle ones; if several short threads
 * shared a row, only the last one is known. */
static uint64_t peak_of(const struct mpi_source *source, bool of_library)
{
	struct change *changes = memory_allocate(2 * source->thread_count + 1, sizeof *changes);
	size_t count = 0;
	double busiest_ns = busiest_of(source);
	int alive = 0, peak = 0;

	for (size_t i = 0; i < source->thread_count; i++) {
		const struct profile_thread *thread = source->threads[i].thread;
		if (is_library(thread) != of_library ||
		    (!of_library && idle_thread(&source->threads[i], busiest_ns)))
			continue;
		uint64_t end = thread->flags & THREAD_ALIVE ? source->end_ns : thread->updated_ns;
		changes[count++] = (struct change){thread->birth_ns, 1};
		changes[count++] = (struct change){end, -1};
	}
	qsort(changes, count, sizeof *changes, compare_changes);
	for (size_t i = 0; i < count; i++) {
		alive += changes[i].by;
		peak = alive > peak ? alive : peak;
	}
	free(changes);
	return (uint64_t)peak;
}

static uint64_t count_units(const struct mpi_source *source)
{
	uint64_t program = peak_of(source, false), all = source->profile->process.threads_peak;

	if (source->profile->process.threads_started > source->thread_count) {
		uint64_t library = peak_of(source, true);
		program = all > library ? all - library : 1;
	}
	return program ? program : 1;
}

static uint64_t wait_time(const struct thread_time *time)
{
	uint64_t sum = 0;

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause != CAUSE_MPI)
			sum += time->by_cause_ns[cause];
	return sum;
}

/* ---- useful time */

static double sum_levels(const struct profile *profile, enum concurrency_kind kind)
{
	double sum = 0;

	for (size_t i = 0; i < profile->concurrency.count; i++)
		if (profile->concurrency.rows[i].kind == (uint64_t)kind)
			sum += (double)profile->concurrency.rows[i].active *
			       (double)profile->concurrency.rows[i].time_ns;
	return sum;
}

/* A thread that was in no wait was useful or ready, in the proportion in which it was on a
 * processor or ready in its whole life; and it was never useful for longer than its CPU time. */
static double useful_of(const struct thread_time *time)
{
	uint64_t lost = time->mpi_ns + wait_time(time) + thread_time_awake(time);
	double rest = time->lifetime_ns > lost ? (double)(time->lifetime_ns - lost) : 0;
	double cpu = (double)thread_time_cpu(time), ready = (double)time->ready_ns;

	return cpu > 0 ? fmin(rest * cpu / (cpu + ready), cpu) : 0;
}

static void infer_useful(struct mpi_rank *rank, const struct mpi_source *source)
{
	double lifetime = 0;

	rank->useful_grade = GRADE_EXACT;
	for (size_t i = 0; i < source->thread_count; i++) {
		if (is_library(source->threads[i].thread))
			continue;
		rank->useful_ns += useful_of(&source->threads[i]);
		lifetime += (double)source->threads[i].lifetime_ns;
		if (!source->threads[i].is_ready_known)
			rank->useful_grade = GRADE_ESTIMATED;
	}
	if (source->thread_count > 1 || (double)rank->ready_ns > READY_SHARE_MAX * lifetime)
		rank->useful_grade = GRADE_ESTIMATED;
}

static void measure_useful(struct mpi_rank *rank, const struct mpi_source *source)
{
	double seen = sum_levels(source->profile, CONCURRENCY_USEFUL);
	double unseen = sum_levels(source->profile, CONCURRENCY_UNSEEN_USEFUL);

	/* Without records a thread without a wrapped wait counts as useful: a helper of the MPI
	 * library, in its epoll_wait, would always be useful. */
	if (seen <= 0 || unseen > UNSEEN_SHARE_MAX * seen) {
		infer_useful(rank, source);
		return;
	}
	rank->useful_ns = fmin(seen + unseen, (double)rank->cpu_ns);
	rank->useful_grade = source->profile->process.switches_lost ? GRADE_SAMPLED : GRADE_EXACT;
}

/* ---- the accumulator */

void mpi_ranks_add(struct mpi_ranks *ranks, const struct mpi_source *source)
{
	if (source->rank == MPI_NO_RANK)
		return;
	const struct profile_mpi_process *row = source->profile->mpi_process.rows;
	struct mpi_rank rank = {
		.rank = source->rank,
		.process = source->process,
		.size = row->size,
		.job = mpi_job_of(source->profile),
		.spawned = row->spawned,
		.host = names_keep(source->names, source->profile->process.host),
		.library = names_keep(source->names, row->library),
		.units = count_units(source),
		.start_ns =
			source->profile->header.start_ns + source->profile->process.start_wait_ns,
		.end_ns = source->end_ns,
		.flags = row->flags,
		.abort_code = row->abort_code,
		.thread_level = row->thread_level,
		.init_begin_ns = row->init_begin_ns,
		.init_end_ns = row->init_end_ns,
		.init_realtime_ns = row->init_realtime_ns,
		.finalize_begin_ns = row->finalize_begin_ns,
		.finalize_end_ns = row->finalize_end_ns,
		.finalize_realtime_ns = row->finalize_realtime_ns,
	};

	double busiest_ns = busiest_of(source);

	for (size_t i = 0; i < source->thread_count; i++) {
		rank.cpu_ns += thread_time_cpu(&source->threads[i]);
		rank.mpi_ns += source->threads[i].mpi_ns;
		rank.library_threads += library_lives(source->threads[i].thread);
		if (is_library(source->threads[i].thread))
			continue; /* it waits for messages all its life */
		rank.ready_ns += source->threads[i].ready_ns;
		/* An idle one is none of the units that waits are a share of. It may be the
		 * library's as well: of threads that were there before the profiler was attached,
		 * it is not known who started them. */
		if (!idle_thread(&source->threads[i], busiest_ns))
			rank.wait_ns += wait_time(&source->threads[i]);
	}
	measure_useful(&rank, source);
	mpi_ranks_append(ranks, &rank);
}

void mpi_ranks_append(struct mpi_ranks *ranks, const struct mpi_rank *rank)
{
	ranks->rows = memory_grow(ranks->rows, ranks->count, &ranks->capacity, sizeof *ranks->rows);
	ranks->rows[ranks->count++] = *rank;
}

static int compare_ranks(const void *left, const void *right)
{
	const struct mpi_rank *a = left, *b = right;

	if (a->job_start != b->job_start)
		return a->job_start > b->job_start ? 1 : -1;
	if (a->job != b->job)
		return a->job > b->job ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

/* The rows must be sorted by job. */
static void set_starts(struct mpi_ranks *ranks)
{
	for (size_t first = 0, end; first < ranks->count; first = end) {
		uint64_t start = UINT64_MAX;

		for (end = first;
		     end < ranks->count && ranks->rows[end].job == ranks->rows[first].job; end++)
			if (ranks->rows[end].init_realtime_ns < start)
				start = ranks->rows[end].init_realtime_ns;
		for (size_t i = first; i < end; i++)
			ranks->rows[i].job_start = start;
	}
}

void mpi_ranks_finish(struct mpi_ranks *ranks)
{
	if (!ranks->count)
		return;
	qsort(ranks->rows, ranks->count, sizeof *ranks->rows, compare_ranks);
	set_starts(ranks);
	qsort(ranks->rows, ranks->count, sizeof *ranks->rows, compare_ranks);
}

void mpi_ranks_clear(struct mpi_ranks *ranks)
{
	free(ranks->rows);
	*ranks = (struct mpi_ranks){0};
}
