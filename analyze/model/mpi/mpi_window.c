/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_window.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define DOUBT_SHARE_MAX 0.01
#define SHIFT_MAX       62

/* Of a rank that was killed, the end is the last instant that is known: it may be a while ago. */
static uint64_t within_life(const struct mpi_rank *rank, uint64_t instant_ns, uint64_t unknown_ns)
{
	uint64_t ns = instant_ns ? instant_ns : unknown_ns;

	ns = ns > rank->start_ns ? ns : rank->start_ns;
	return ns < rank->end_ns ? ns : rank->end_ns;
}

struct mpi_window mpi_window_of(const struct mpi_rank *rank)
{
	return (struct mpi_window){
		.init_ns = within_life(rank, rank->init_begin_ns, rank->start_ns),
		.from_ns = within_life(rank, rank->init_end_ns, rank->start_ns),
		.to_ns = within_life(rank, rank->finalize_begin_ns, rank->end_ns),
		.finalized_ns = within_life(rank, rank->finalize_end_ns, rank->end_ns),
	};
}

/* ---- time in MPI */

static bool is_of_life(const struct profile *profile, size_t call)
{
	return call < profile->mpi_names.count &&
	       profile->mpi_names.rows[call].class == MPI_CLASS_LIFE;
}

/* In calls that begin or end MPI, by thread; released by the caller. */
static uint64_t *life_by_thread(const struct mpi_source *source)
{
	const struct profile *profile = source->profile;
	uint64_t *ns = memory_allocate(profile->threads.count + 1, sizeof *ns);

	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];

		if (is_of_life(profile, row->call))
			ns[row->thread] += row->sum_ns;
	}
	for (size_t i = 0; i < source->thread_count; i++) {
		const struct thread_time *time = &source->threads[i];

		if (time->thread->waiting_cause == CAUSE_MPI &&
		    is_of_life(profile, time->thread->waiting_call))
			ns[time->index] += time->open_wait_ns;
	}
	return ns;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void measure_calls(struct mpi_rank *rank, const struct mpi_source *source)
{
	uint64_t *life_ns = life_by_thread(source), all_life_ns = 0;

	for (size_t i = 0; i < source->thread_count; i++) {
		const struct thread_time *time = &source->threads[i];
		uint64_t life = life_ns[time->index];

		if (!time->mpi_ns)
			continue;
		rank->mpi_threads++;
		all_life_ns += life;
		if (time->mpi_ns > life)
			rank->mpi_between_ns = larger(rank->mpi_between_ns, time->mpi_ns - life);
	}
	rank->mpi_most_ns = all_life_ns + rank->mpi_between_ns;
	free(life_ns);
}

/* ---- useful time */

static double overlap(double low, double high, uint64_t from_ns, uint64_t to_ns)
{
	return fmax(0, fmin(high, (double)to_ns) - fmax(low, (double)from_ns));
}

/* Of a bin: how much of it is within the window, and before or behind start and end of MPI. */
struct parts {
	double within, beyond;
};

static struct parts parts_of(const struct mpi_rank *rank, const struct profile_timeline *row)
{
	double low = ldexp((double)row->bin, (int)row->shift);
	double high = ldexp((double)row->bin + 1, (int)row->shift);
	struct mpi_window window = mpi_window_of(rank);

	return (struct parts){
		overlap(low, high, window.from_ns, window.to_ns),
		overlap(low, high, rank->start_ns, window.init_ns) +
			overlap(low, high, window.finalized_ns, rank->end_ns),
	};
}

/* Of the time line: all of it, what is within, and what of a bin's may be either. */
struct useful {
	double all, within, doubt;
};

static struct useful useful_of(const struct mpi_rank *rank, const struct profile *profile)
{
	struct useful useful = {0};

	for (size_t i = 0; i < profile->timeline.count; i++) {
		const struct profile_timeline *row = &profile->timeline.rows[i];

		if (row->metric != TIMELINE_USEFUL || row->shift > SHIFT_MAX || !row->time_ns)
			continue;
		struct parts parts = parts_of(rank, row);
		double whole = parts.within + parts.beyond, ns = (double)row->time_ns;
		double within = whole > 0 ? ns * parts.within / whole : 0;

		useful.all += ns;
		useful.within += within;
		if (whole > 0)
			useful.doubt += fmin(within, ns - within);
	}
	return useful;
}

/* As the time outside of MPI is. */
static void share_out(struct mpi_rank *rank, const struct mpi_window *window)
{
	double window_ns = (double)(window->to_ns - window->from_ns);
	double life_ns = (double)(rank->end_ns - rank->start_ns);
	double outside = fmax(0, window_ns - (double)rank->mpi_between_ns);
	double all = fmax(outside, life_ns - (double)rank->mpi_most_ns);

	rank->useful_between_ns = all > 0 ? rank->useful_ns * outside / all : 0;
	rank->between_grade = grade_worse(rank->useful_grade, GRADE_ESTIMATED);
}

void mpi_window_measure(struct mpi_rank *rank, const struct mpi_source *source)
{
	struct mpi_window window = mpi_window_of(rank);

	measure_calls(rank, source);
	rank->between_grade = GRADE_UNKNOWN;
	if (window.to_ns <= window.from_ns || rank->end_ns <= rank->start_ns)
		return;
	struct useful useful = useful_of(rank, source->profile);

	if (!(useful.all > 0) && rank->useful_ns > 0) {
		share_out(rank, &window);
		return;
	}
	double scale = useful.all > 0 ? rank->useful_ns / useful.all : 0;

	rank->useful_between_ns = useful.within * scale;
	rank->between_grade = rank->useful_grade;
	if (useful.doubt > DOUBT_SHARE_MAX * useful.within)
		rank->between_grade = grade_worse(rank->useful_grade, GRADE_ESTIMATED);
}
