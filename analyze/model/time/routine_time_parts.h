/* SPDX-License-Identifier: MIT */
/* The internals of the accumulator of routines, for the files that fill it and that write it to
 * merged runs. */
#pragma once

#include "analyze/model/common/call_stack.h"
#include "analyze/model/time/routine_time.h"
#include "analyze/tables/merged.h"

/* One of the two measures of a routine: self and total time. Columns: merged.def, also of the
 * next; which routine and measure it is, is set when it is written. */
struct measure {
	struct merged_routine_times;
	struct distribution by[WAYS];
};

struct accumulators {
	/* waiting_ns: inlined routines of runtimes included; waiting_line: the last of such a loop;
	 * caller_process: index + 1 of the last in which it made a call */
	struct merged_routine_sums;
	struct measure self, total;
	bool is_used;
	size_t seen_in; /* serial number of the sample that was counted last: recursion counts once
			 */
	size_t unit[WAYS]; /* serial number of the unit that was counted last */
};

struct routine_accumulator {
	struct names *names;
	bool by_process;
	bool lacks_blocked; /* blocked_ns of a profile is not known */
	uint64_t excess_ns;
	struct call_stack stack; /* of the current sample */
	struct line_table *lines;
	struct accumulators *routines;
	size_t routine_limit;
	size_t sample, process;
	uint64_t serial_ns; /* of the current sample */
	bool is_of_mpi;     /* the same: an MPI library called its innermost routine */
	struct unit {
		size_t number;
		size_t *touched; /* routines of the current unit */
		size_t touched_count, touched_capacity;
	} units[WAYS];
};

/* The accumulators of a routine, which is part of the result from now on. */
struct accumulators *routine_accumulators_of(struct routine_accumulator *accumulator,
					     size_t routine);
