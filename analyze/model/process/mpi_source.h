/* SPDX-License-Identifier: MIT */
/* What the accumulators of MPI are given of one process: its profile, and what the model has
 * derived from it. Lives as long as the call. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/threads/thread_time.h"

#define MPI_NO_RANK UINT64_MAX

struct mpi_source {
	struct names *names;
	const struct profile *profile;
	size_t process; /* index in run->processes */
	uint64_t rank;  /* MPI_NO_RANK: it never called MPI_Init */
	uint64_t end_ns;
	const struct thread_time *threads;
	size_t thread_count;
};

/* The number that identifies the process's job. A job of one rank is its own job. */
static inline uint64_t mpi_job_of(const struct profile *profile)
{
	const struct profile_mpi_process *row = profile->mpi_process.rows;

	if (!profile->mpi_process.count)
		return 0;
	return row->size == 1 ? UINT64_C(1) << 63 | (profile->header.start_ns ^
						     (uint64_t)profile->header.pid << 32)
			      : row->job;
}

/* Of the process that wrote the profile. */
static inline uint64_t mpi_rank_of(const struct profile *profile)
{
	return profile->mpi_process.count ? profile->mpi_process.rows[0].rank : MPI_NO_RANK;
}
