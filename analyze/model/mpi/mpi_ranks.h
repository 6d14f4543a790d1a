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

struct mpi_rank {
	uint64_t rank;
	size_t process;             /* index in run->processes */
	uint64_t size;              /* of its MPI_COMM_WORLD */
	uint64_t job;               /* mpi_job_of */
	uint64_t job_start;         /* when its first rank called MPI_Init, by the time of day */
	uint64_t spawned;           /* processes that it spawned */
	const char *host, *library; /* kept by the names */
	uint64_t units;
	uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC of its host */
	double useful_ns;
	enum grade useful_grade;
	uint64_t cpu_ns, mpi_ns, wait_ns, ready_ns; /* wait_ns: blocked, but not in MPI */
	uint64_t flags;                             /* enum mpi_process_flags */
	uint64_t abort_code;                        /* of MPI_Abort, 32 bits; see flags */
	uint64_t thread_level;
	uint64_t init_begin_ns, init_end_ns, init_realtime_ns;
	uint64_t finalize_begin_ns, finalize_end_ns, finalize_realtime_ns;
};

struct mpi_ranks {
	struct mpi_rank *rows; /* by job, in the order of their start, and rank */
	size_t count, capacity;
};

void mpi_ranks_add(struct mpi_ranks *ranks, const struct mpi_source *source);
void mpi_ranks_append(struct mpi_ranks *ranks, const struct mpi_rank *rank);
void mpi_ranks_finish(struct mpi_ranks *ranks);
void mpi_ranks_clear(struct mpi_ranks *ranks);
