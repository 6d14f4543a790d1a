/* SPDX-License-Identifier: MIT */
/* Exact calls of instrumented routines (table `calls`): how many, and their elapsed time, waits
 * included, over all threads and processes. Of calls that are counted only (untimed: -pg tells no
 * ends) everything but their number is in no figure.
 *
 *   calls       that began; sequential: no other thread of the process was known to be on a
 *               processor then, which is as late as the latest switch record or wait that was read
 *   total_ns    elapsed time in calls, of recursive ones in the outermost; of calls that are open
 * up to the last instant that is known self_ns     the part of it in no other instrumented routine
 *   started_ns  lives of the threads that it created itself, and how many: time in tasks started
 *               (A. D. Malony, "Performance Observability", 1990, 1.5)
 *
 * An accumulator (accumulator.h). Context: pure but for names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/common/names.h"
#include "analyze/tables/merged.h"

struct merged_input;

/* Columns: merged.def. */
struct call_time {
	struct merged_calls;
};

struct call_times {
	struct call_time *rows; /* the most self time first */
	size_t count;
	const struct call_time **by_routine; /* the same in the order of their numbers */
};

struct call_accumulator;

struct call_accumulator *call_accumulator_create(struct names *names);
void call_accumulator_add(struct call_accumulator *accumulator, const struct profile *profile);
/* Merged runs (tables/merged.h). */
void call_accumulator_write(const struct call_accumulator *accumulator,
			    struct merged_writer *writer);
void call_accumulator_read(struct call_accumulator *accumulator, const struct merged_input *input);
struct call_times call_accumulator_finish(struct call_accumulator *accumulator);
void call_times_clear(struct call_times *times);

/* NULL: the routine is not instrumented. */
const struct call_time *call_times_of(const struct call_times *times, size_t routine);

/* False: all of its calls were counted only, so times, open calls and threads are not known. */
bool call_time_is_known(const struct call_time *row);

/* Routines of which that is false. */
size_t call_times_count_unknown(const struct call_times *times);

/* Total time of a call; NAN: none was timed. */
double call_time_mean_ns(const struct call_time *row);
