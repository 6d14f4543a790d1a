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
	double on_processor_ns, useful_ns;    /* sum(i T_i) of both kinds */
	bool is_concurrency_known;            /* whether these four are known */
	uint64_t own_cost_ns;    /* CPU time that the profiler took: own_cost.h */
	uint64_t beyond_cpu_ns;  /* CPU time in no thread's row: of the kernel for ending threads,
				    and of threads that were not observed */
	bool has_work_elsewhere; /* another process works while this one lives */
	uint64_t switches;       /* context switches of its threads */
	struct {
		SUMS_OF_threads(SUM_FIELD)
	};                          /* of all its threads */
	uint64_t memory_peak_bytes; /* 0: not known */
	struct {
		bool is_known;
		uint64_t read_bytes, written_bytes; /* by all calls on descriptors */
	} io;
	uint64_t thread_lives;       /* threads that ever ran, not rows */
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
