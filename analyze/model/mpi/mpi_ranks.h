/* SPDX-License-Identifier: MIT */
/* The ranks of the jobs, and how each spent its time. One row for each rank that left a profile.
 *
 *   useful   on a processor and in no wait: sum(i T_i) of the process's useful concurrency, where
 *            that was recorded; otherwise CPU time that its threads can have had outside of waits
 *   units    threads that execute the program: the most that were alive at once, without idle ones
 *            (idle_threads.h) and those that the MPI library started for itself
 *
 * Times are sums over the threads of the rank. Accumulator; a zeroed struct is the empty
 * accumulator. Context: pure. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/process/mpi_source.h"
#include "analyze/tables/merged.h"

/* Columns: merged.def. process: index in run->processes; texts are kept by the names. */
struct mpi_rank {
	struct merged_mpi_ranks;
	uint64_t job_start; /* when its first rank called MPI_Init, by the time of day */
};

struct mpi_ranks {
	struct mpi_rank *rows; /* by job, in the order of their start, and rank */
	size_t count, capacity;
};

void mpi_ranks_add(struct mpi_ranks *ranks, const struct mpi_source *source);
void mpi_ranks_append(struct mpi_ranks *ranks, const struct mpi_rank *rank);
void mpi_ranks_finish(struct mpi_ranks *ranks);
void mpi_ranks_clear(struct mpi_ranks *ranks);
