/* SPDX-License-Identifier: MIT */
/* The MPI jobs of a run: a launcher may be started several times, and MPI_Comm_spawn starts a job
 * with an MPI_COMM_WORLD of its own. Context: pure. */
#pragma once

#include "analyze/model/mpi/mpi_efficiency.h"

#define MPI_NO_JOB SIZE_MAX

struct mpi_job {
	uint64_t id;         /* mpi_job_of */
	size_t first, count; /* its ranks among those of the run */
	uint64_t size;       /* ranks that it should have */
	uint64_t spawned;    /* processes that its ranks spawned */
	bool is_spawned;
	size_t parent; /* the job that spawned it; MPI_NO_JOB: none, or more than one may have */
	struct mpi_efficiency efficiency;
};

struct mpi_jobs {
	struct mpi_job *rows; /* in the order of their start */
	size_t count, capacity;
	uint64_t unseen; /* spawned processes that left no profile */
};

/* ranks: after mpi_ranks_finish. */
struct mpi_jobs mpi_jobs_of(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks);
/* Counted from 1; 0: there is no such job. id: mpi_job_of. */
size_t mpi_jobs_number(const struct mpi_jobs *jobs, uint64_t id);
void mpi_jobs_clear(struct mpi_jobs *jobs);
