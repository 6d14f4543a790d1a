/* SPDX-License-Identifier: MIT */
/* One row of the model for each process, and for each of its threads as long as the run has few.
 *
 * Context: pure. Everything is copied: the profile may be closed. Times in nanoseconds. */
#pragma once

#include "analyze/model/concurrency/sample_share.h"
#include "analyze/model/process/mpi_source.h"
#include "analyze/model/process/process_life.h"
#include "analyze/model/threads/thread_time.h"

struct names;

/* Columns: merged.def. own_cost_ns: own_cost.h; beyond_cpu_ns: of the kernel for ending threads,
 * and of threads that were not observed; thread_lives: threads, not rows. Facts, lifetime_ns,
 * states and waiting are those of file and sum, and set when it is written. */
struct process {
	struct merged_processes;
	size_t index;                   /* in run->processes */
	const struct run_process *file; /* header, command, host */
	char *status;                   /* life in words */
	uint64_t rank;                  /* MPI_NO_RANK: not of an MPI job */
	uint64_t elapsed_ns, ready_ns;
	struct thread_time sum;      /* of all its threads; thread is NULL */
	struct thread_time *threads; /* NULL: only the sum was kept */
	size_t thread_count;
	struct profile_thread *thread_rows;
};

/* Are the sums over threads known? Files of older versions do not have them. */
static inline bool process_has_carried(const struct process *process)
{
	/* every thread has faults of pages: its stack */
	return !process->thread_lives || process->minor_faults || process->major_faults ||
	       process->voluntary_switches || process->involuntary_switches;
}

/* Elapsed time of the program, without the time that it waited for the profiler's start. */
uint64_t process_elapsed(const struct process *process);
/* How long the profiler took to start; this is in no other figure (except those of processes that
 * waited for this one meanwhile). */
uint64_t process_own_start(const struct process *process);

/* Adds a thread to these sums. */
void process_add_carried(struct process *into, const struct profile_thread *from);

/* What is known without the profile. */
void process_start(struct process *process, const struct run_files *files, size_t index);
/* Copies what the profile says. */
void process_read(struct process *process, const struct profile *profile, struct names *names);
/* For code that reads the profile again; released with sample_shares_clear. */
struct sample_shares process_sample_shares(const struct process *process,
					   const struct profile *profile, struct names *names);
/* Drops the threads' rows and keeps their sum. */
void process_fold(struct process *process);
void process_clear(struct process *process);
