/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/omp_edges.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"

/* Waits in the body, which are no work; those in a task at the closing barrier are taken for such.
 */
static uint64_t waits_within(const struct profile *profile, size_t thread, size_t region)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < profile->omp_constructs.count; i++) {
		const struct profile_omp_construct *row = &profile->omp_constructs.rows[i];

		if (row->thread == thread && row->region == region &&
		    vocabulary_construct_time(row->construct) == OMP_TIME_WAIT)
			ns += row->time_ns;
	}
	return ns;
}

/* In the body, and in tasks that it executed at the closing barrier: only work contains those, and
 * only the body contains all waits. */
static uint64_t inside_of(const struct profile *profile, size_t thread, size_t region)
{
	uint64_t body_ns = 0, work_ns = waits_within(profile, thread, region);

	for (size_t i = 0; i < profile->omp_work.count; i++) {
		const struct profile_omp_work *work = &profile->omp_work.rows[i];

		if (work->thread != thread || work->region != region || work->member)
			continue;
		body_ns += work->body_ns;
		work_ns += work->work_ns;
	}
	return body_ns > work_ns ? body_ns : work_ns;
}

static uint64_t edges_of(const struct profile *profile, const struct profile_omp_execution *row)
{
	uint64_t elapsed_ns = row->elapsed_ns;
	uint64_t inside_ns = inside_of(profile, row->thread, row->region);

	/* teams of several sizes: the first row stands for all */
	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *other = &profile->omp_executions.rows[i];

		if (other->thread != row->thread || other->region != row->region || other == row)
			continue;
		if (other < row)
			return 0;
		elapsed_ns += other->elapsed_ns;
	}
	return elapsed_ns > inside_ns ? elapsed_ns - inside_ns : 0;
}

uint64_t *omp_edges_read(const struct profile *profile, size_t thread, uint64_t *sum_ns)
{
	size_t count = profile->omp_executions.count;
	uint64_t *edges = memory_allocate(count, sizeof *edges);

	*sum_ns = 0;
	for (size_t i = 0; i < count; i++)
		if (profile->omp_executions.rows[i].thread == thread)
			*sum_ns += edges[i] = edges_of(profile, &profile->omp_executions.rows[i]);
	return edges;
}
