/* SPDX-License-Identifier: MIT */
/* Where the CPU time of a run went: by routine, alone and in company, and how evenly over threads
 * or processes.
 *
 * self    CPU time of samples whose innermost routine it is (an inlined routine has its own self
 * time) total   CPU time of samples in whose call path it occurs, once per sample however often it
 * occurs alone, average_concurrency and the spread (min, mean, max, deviation over the threads that
 * ran it) are of the self time; of the total time for a routine that has no self time
 * (is_by_total). The row [unsampled] is the CPU time that no sample claimed, so that self times sum
 * to the CPU time exactly. Context: pure but for names. Times in nanoseconds; unknown figures are
 * NAN. */
#pragma once

#include "analyze/model/names.h"

struct process;
struct merged_writer;
struct merged_input;

struct routine_spread {
	size_t count; /* threads or processes that ran it */
	double min_ns, mean_ns, max_ns, deviation_ns;
	size_t max_process;   /* where the maximum was: index in run->processes */
	uint64_t max_tid;     /* 0 where processes are compared */
	const char *max_name; /* of the thread; NULL where processes are compared */
};

struct routine_time {
	size_t routine;
	unsigned line; /* in which it spent most of its self time, without any: in which it called;
			  0: unknown */
	uint64_t samples; /* behind the self time */
	uint64_t self_ns, total_ns;
	uint64_t alone_ns,
		level_known_ns; /* the second: time of samples that know the concurrency */
	double average_concurrency;
	bool is_by_total;
	struct routine_spread spread;
};

struct routine_times {
	struct routine_time *rows; /* the most self time first */
	size_t count;
	uint64_t excess_ns; /* time claimed by samples beyond the CPU time: 0, or the profile is
			       wrong */
};

/* The relative error of a sampled time, percent: one standard deviation, 100 / sqrt(samples). */
double routine_time_error_percent(const struct routine_time *row);

/* An account (account.h). by_process: spread over processes instead of threads. */
struct routine_account;

struct routine_account *routine_account_create(struct names *names, bool by_process);
void routine_account_add(struct routine_account *account, const struct profile *profile,
			 const struct process *process);
/* Merged runs (merge/merged.h). */
void routine_account_write(const struct routine_account *account, struct merged_writer *writer);
void routine_account_read(struct routine_account *account, const struct merged_input *input);
uint64_t routine_account_excess(const struct routine_account *account);
void routine_account_add_excess(struct routine_account *account, uint64_t excess_ns);
struct routine_times routine_account_finish(struct routine_account *account);
void routine_times_clear(struct routine_times *times);
