/* SPDX-License-Identifier: MIT */
/* One row of the model for each process, and for each of its threads while a run has few.
 *
 * Context: pure. Whatever is kept is a copy: the profile may be closed. Times in nanoseconds. */
#pragma once

#include "analyze/model/concurrency/sample_share.h"
#include "analyze/model/process/mpi_source.h"
#include "analyze/model/process/process_life.h"
#include "analyze/model/threads/thread_time.h"

struct names;

struct process {
	size_t index;                   /* in run->processes */
	const struct run_process *file; /* header, command, host */
	struct process_life life;
	char *status;  /* life in words */
	uint64_t rank; /* MPI_NO_RANK: not of an MPI job */
	uint64_t elapsed_ns;
	uint64_t cpu_ns;
	uint64_t ready_ns;
	uint64_t executing_ns, sequential_ns; /* T - T_0 and T_1 */
	bool is_concurrency_known;            /* these two */
	uint64_t own_cost_ns;        /* of the profiler, estimated from what its parts cost */
	uint64_t beyond_cpu_ns;      /* CPU time that no thread's row has: the kernel's for the ends
					of threads, and that of threads that were not observed */
	bool has_work_elsewhere;     /* another process works while this one lives */
	uint64_t switches;           /* context switches of its threads */
	uint64_t thread_lives;       /* threads that ever ran, not rows */
	struct thread_time sum;      /* of all its threads; thread is NULL */
	struct thread_time *threads; /* NULL: only the sum was kept */
	size_t thread_count;
	struct profile_thread *thread_rows;
};

/* The program's own time: without what it waited for the profiler's start. */
uint64_t process_elapsed(const struct process *process);
/* For how long the profiler started, which is in no other figure (but in those of processes that
 * waited for this one meanwhile). */
uint64_t process_own_start(const struct process *process);

/* What is known without the profile. */
void process_start(struct process *process, const struct run_files *files, size_t index);
/* Takes over what the profile says. */
void process_read(struct process *process, const struct profile *profile, struct names *names);
/* For who reads the profile again; released by sample_shares_clear. */
struct sample_shares process_sample_shares(const struct process *process,
					   const struct profile *profile, struct names *names);
/* Keeps no more than the sum of the threads. */
void process_fold(struct process *process);
void process_clear(struct process *process);
