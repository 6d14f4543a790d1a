/* SPDX-License-Identifier: MIT */
/* What a run did over time: thread time in bins of equal length, all processes together.
 *
 * Computed from the time lines of the processes (process_timeline.h), whose bins are merged in
 * pairs as a run gets longer; at most RUN_TIMELINE_BINS. Bin b covers bin_ns from start + b x
 * bin_ns on, where start is a multiple of bin_ns and not later than the start of the run. Hosts are
 * aligned by the time of day. Thread time / bin_ns is the average number of threads useful, or on a
 * processor, in the bin; the sum over all bins is that of i T_i of all processes, which is their
 * CPU time to 1 % (useful: threads in no wait). Accumulator as in accumulator.h. Context: pure. */
#pragma once

#include "analyze/model/time/time_bins.h"

#include <stddef.h>
#include <stdint.h>

struct process;
struct profile;
struct merged_writer;
struct merged_input;

#define RUN_TIMELINE_BINS TIME_BINS

struct run_timeline {
	uint64_t start_ns; /* of bin 0, CLOCK_MONOTONIC of the first host */
	uint64_t bin_ns;
	size_t count; /* 0: no profile has a time line */
	double *useful_ns, *on_processor_ns;
};

struct run_timeline_accumulator;

struct run_timeline_accumulator *run_timeline_create(void);
void run_timeline_add(struct run_timeline_accumulator *accumulator, const struct profile *profile,
		      const struct process *process);
void run_timeline_write(const struct run_timeline_accumulator *accumulator,
			struct merged_writer *writer);
void run_timeline_read(struct run_timeline_accumulator *accumulator,
		       const struct merged_input *input);
struct run_timeline run_timeline_finish(struct run_timeline_accumulator *accumulator);
void run_timeline_clear(struct run_timeline *timeline);
