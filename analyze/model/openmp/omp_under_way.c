/* SPDX-License-Identifier: MIT */
#include "analyze/model/openmp/omp_under_way.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/process.h"

#include <math.h>
#include <stdlib.h>

/* Of a thread, in outermost regions. */
struct past {
	bool is_member;      /* it used OpenMP */
	double under_way_ns; /* of the region that it started */
	double elapsed_ns;   /* of those that it started and that have ended */
	double work_ns;      /* in bodies that have ended */
	double ended_ns;     /* of it, in the region that is under way */
};

double omp_under_way_ns(const struct profile *profile, const struct profile_omp_thread *row,
			uint64_t end_ns)
{
	const struct profile_thread *thread = &profile->threads.rows[row->thread];
	uint64_t end = thread->flags & THREAD_ALIVE ? end_ns : thread->updated_ns;

	return row->region_since_ns && end > row->region_since_ns
		       ? (double)(end - row->region_since_ns)
		       : 0;
}

static bool is_outermost(const struct profile *profile, uint64_t region)
{
	return region && !profile->omp_regions.rows[region].parent;
}

static void add_ended(struct past *past, const struct profile *profile)
{
	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *row = &profile->omp_executions.rows[i];

		if (is_outermost(profile, row->region))
			past[row->thread].elapsed_ns += (double)row->elapsed_ns;
	}
	for (size_t i = 0; i < profile->omp_work.count; i++) {
		const struct profile_omp_work *row = &profile->omp_work.rows[i];

		if (is_outermost(profile, row->region))
			past[row->thread].work_ns += (double)row->work_ns;
	}
}

/* Who waits since an instant within the region that is under way has ended its body there. It did no
 * more work in it than passed until then, and than it ever did in bodies of that region. */
static void add_ended_here(struct past *past, const struct profile *profile,
			   const struct profile_omp_thread *starter)
{
	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];

		if (row->since_ns > starter->region_since_ns)
			past[row->thread].ended_ns =
				(double)(row->since_ns - starter->region_since_ns);
	}
	double *in_region = memory_allocate(profile->threads.count + 1, sizeof *in_region);

	for (size_t i = 0; i < profile->omp_work.count; i++)
		if (profile->omp_work.rows[i].region == starter->region)
			in_region[profile->omp_work.rows[i].thread] +=
				(double)profile->omp_work.rows[i].work_ns;
	for (size_t i = 0; i < profile->threads.count; i++)
		past[i].ended_ns = fmin(past[i].ended_ns, in_region[i]);
	free(in_region);
}

/* A thread of the runtime does nothing else. */
static double life_in_regions_ns(const struct thread_time *time, const struct past *past)
{
	if (time->thread->flags & THREAD_OF_OPENMP && !(past->under_way_ns > 0))
		return (double)time->lifetime_ns;
	return past->under_way_ns > 0 ? past->elapsed_ns + past->under_way_ns : 0;
}

static void add_member(struct omp_under_way *sum, const struct thread_time *time,
		       const struct past *past, double longest_ns)
{
	double left_ns = life_in_regions_ns(time, past) - (double)time->omp_ns - past->work_ns;
	double work_ns = fmin(fmax(0, left_ns) + past->ended_ns, longest_ns);

	sum->work_ns += work_ns;
	sum->work_most_ns = fmax(sum->work_most_ns, work_ns);
}

struct omp_under_way omp_under_way_of(const struct profile *profile, const struct process *process)
{
	struct past *past = memory_allocate(profile->threads.count + 1, sizeof *past);
	const struct profile_omp_thread *longest = NULL;
	struct omp_under_way sum = {0};
	double longest_ns = 0;

	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];
		double ns = omp_under_way_ns(profile, row, process->life.end_ns);

		past[row->thread].is_member = true;
		past[row->thread].under_way_ns = ns;
		if (ns > longest_ns)
			longest = row;
		longest_ns = fmax(longest_ns, ns);
		sum.team_elapsed_ns += (double)row->region_team * ns;
	}
	add_ended(past, profile);
	if (longest)
		add_ended_here(past, profile, longest);
	for (size_t i = 0; i < process->thread_count && sum.team_elapsed_ns > 0; i++)
		if (past[process->threads[i].index].is_member)
			add_member(&sum, &process->threads[i], &past[process->threads[i].index],
				   longest_ns);
	free(past);
	sum.work_ns = fmin(sum.work_ns, sum.team_elapsed_ns);
	return sum;
}
