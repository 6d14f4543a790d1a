/* SPDX-License-Identifier: MIT */
/* Where the CPU time of a run went: by routine, alone and in company, and how evenly over threads
 * or processes.
 *
 *   self     CPU time of samples whose innermost routine it is (an inlined routine has its own)
 *   total    CPU time of samples in whose call path it occurs, once per sample however often it
 *            occurs
 *   elapsed  share of elapsed time: with i threads on a processor each has an i-th of it
 *   alone    the part of it in which no other thread of the process was on a processor
 *   blocked  time in waits beyond their CPU time (paths/blocked_waits.h): of self, in waits whose
 *            innermost routine it is; of total, in waits in whose call path it occurs, once per
 * wait average_concurrency  CPU time / share of elapsed time (sample_share.h)
 *
 * elapsed and alone are of the self time, so that they can be added up: over the routines of a
 * process they are exactly T - T_0 and T_1, and over those of a run the sum of these over its
 * process images. Average concurrency and spread (min, mean, max, deviation over the threads that
 * ran it) are of the self time as well; of the total time for a routine that has no self time
 * (is_by_total). A routine that no sample met may have a row for its waits alone. The row
 * [unsampled] is the CPU time that no sample claimed, so that self times add up to exactly the CPU
 * time. Context: pure but for names. Times in nanoseconds; unknown figures are NAN. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/concurrency/sample_share.h"
#include "analyze/model/time/line_time.h"

struct process;
struct merged_writer;
struct merged_input;

struct routine_time {
	size_t routine;
	unsigned line; /* where it spent most of its self time or, without any, where it called or,
			  without samples, waited; 0: unknown */
	uint64_t samples; /* of the self time */
	uint64_t self_ns, total_ns;
	uint64_t waiting_ns;   /* CPU time of samples in a loop that does nothing but wait, in the
				  innermost routine of the program's own (symbols/spin_loop.h) */
	unsigned waiting_line; /* line of that loop; 0: unknown, or none */
	uint64_t mpi_ns;       /* of self_ns: called by an MPI library, or of it */
	uint64_t serial_ns, total_serial_ns;       /* of self_ns and total_ns: of threads that start
						      OpenMP teams, outside of these and of MPI */
	uint64_t elapsed_ns, alone_ns;             /* of the self time */
	uint64_t total_elapsed_ns, total_alone_ns; /* including what it called */
	bool is_share_known;                       /* whether these four are known */
	uint64_t blocked_ns, total_blocked_ns; /* self_ns + blocked_ns, total_ns + total_blocked_ns:
						  elapsed time, thread by thread */
	bool is_blocked_known;                 /* whether these two are known */
	double average_concurrency;
	bool is_by_total;
	struct spread spread;
	struct spread total_spread; /* of the total time, whether or not it has self time */
	struct spread by_process;   /* of the self time, over processes */
};

struct routine_times {
	struct routine_time *rows; /* the most self time first */
	size_t count;
	struct line_times lines;
	uint64_t excess_ns; /* time claimed by samples beyond the CPU time: 0, or the profile is
			       wrong */
};

/* An accumulator (accumulator.h). by_process: spread over processes instead of threads. */
struct routine_accumulator;

struct routine_accumulator *routine_accumulator_create(struct names *names, bool by_process);
/* shares: of the profile. */
void routine_accumulator_add(struct routine_accumulator *accumulator, const struct profile *profile,
			     const struct process *process, const struct sample_shares *shares);
/* Time in a wait beyond its CPU time. frames: of the path that waited, innermost first; count > 0.
 */
void routine_accumulator_add_blocked(struct routine_accumulator *accumulator,
				     const struct frame *frames, size_t count, uint64_t ns);
/* Of some profile that time cannot be known: of no routine is it known then. */
void routine_accumulator_lack_blocked(struct routine_accumulator *accumulator);
/* Merged runs (tables/merged.h). */
void routine_accumulator_write(const struct routine_accumulator *accumulator,
			       struct merged_writer *writer);
void routine_accumulator_read(struct routine_accumulator *accumulator,
			      const struct merged_input *input);
uint64_t routine_accumulator_excess(const struct routine_accumulator *accumulator);
void routine_accumulator_add_excess(struct routine_accumulator *accumulator, uint64_t excess_ns);
struct routine_times routine_accumulator_finish(struct routine_accumulator *accumulator);
void routine_times_clear(struct routine_times *times);
