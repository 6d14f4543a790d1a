/* SPDX-License-Identifier: MIT */
/* The internals of the accumulator of counters, for the files that fill it, finish it, and write it
 * to merged runs. */
#pragma once

#include "analyze/model/counters/counters.h"

struct counter_sums_of_event {
	struct counter row; /* grade, coverage and spread are made at the end */
	struct distribution by[WAYS];
};

struct counters_accumulator {
	struct names *names;
	struct counter_sums_of_event *events; /* [COUNTER_CPU]: CPU time */
	size_t event_limit, event_capacity;
	struct counter_metric *metrics;
	size_t metric_count, metric_capacity;
	struct counter_table *table;
	struct call_stack stack; /* of the current sample */
	size_t sample;           /* its serial number */
};

/* The number of the event with the name, after what is said of it (name to error in struct counter)
 * has been added to what others said; 0: it has no name, or there are too many. */
size_t counters_define_event(struct counters_accumulator *accumulator, const struct counter *said);
/* The first definition of a metric counts. event_of: for the formula (counter_steps.h). */
void counters_add_metric(struct counters_accumulator *accumulator,
			 const struct counter_metric *texts, const char *steps,
			 const size_t *event_of, size_t limit);
