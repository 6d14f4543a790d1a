/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_jobs.h"

#include "analyze/base/memory.h"
#include "preload/file/vocabulary.h"

#include <stdlib.h>

static struct mpi_job job_at(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks,
			     size_t first)
{
	struct mpi_job job = {.id = ranks->rows[first].job, .first = first, .parent = MPI_NO_JOB};

	for (size_t i = first; i < ranks->count && ranks->rows[i].job == ranks->rows[first].job;
	     i++) {
		const struct mpi_rank *rank = &ranks->rows[i];

		job.count++;
		job.size = rank->size > job.size ? rank->size : job.size;
		job.spawned += rank->spawned;
		job.is_spawned |= (rank->flags & MPI_SPAWNED) != 0;
	}
	job.efficiency = mpi_efficiency_of_job(ranks, clocks, first, job.count);
	return job;
}

/* The only other job that spawned processes; MPI_NO_JOB if there are several. */
static size_t parent_of(const struct mpi_jobs *jobs, size_t child)
{
	size_t parent = MPI_NO_JOB;

	if (!jobs->rows[child].is_spawned)
		return MPI_NO_JOB;
	for (size_t i = 0; i < jobs->count; i++) {
		if (i == child || !jobs->rows[i].spawned)
			continue;
		if (parent != MPI_NO_JOB)
			return MPI_NO_JOB;
		parent = i;
	}
	return parent;
}

struct mpi_jobs mpi_jobs_of(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks)
{
	struct mpi_jobs jobs = {0};
	uint64_t spawned = 0, seen = 0;

	for (size_t first = 0; first < ranks->count;) {
		struct mpi_job job = job_at(ranks, clocks, first);

		jobs.rows = memory_grow(jobs.rows, jobs.count, &jobs.capacity, sizeof *jobs.rows);
		jobs.rows[jobs.count++] = job;
		spawned += job.spawned;
		seen += job.is_spawned ? job.count : 0;
		first += job.count;
	}
	for (size_t i = 0; i < jobs.count; i++)
		jobs.rows[i].parent = parent_of(&jobs, i);
	jobs.unseen = spawned > seen ? spawned - seen : 0;
	return jobs;
}

size_t mpi_jobs_number(const struct mpi_jobs *jobs, uint64_t id)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->rows[i].id == id)
			return i + 1;
	return 0;
}

void mpi_jobs_clear(struct mpi_jobs *jobs)
{
	free(jobs->rows);
	*jobs = (struct mpi_jobs){0};
}
