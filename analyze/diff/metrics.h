/* SPDX-License-Identifier: MIT */
/* Which figures decide the verdict on a comparison (--metric): a set of the names below.
 *
 * Those of the default set ask for evidence in elapsed or CPU time. `counts`, `instructions`,
 * `memory`, `requests` and `units` decide by themselves, however long the program took.
 * docs/diff.md defines each. Context: pure, but for metrics_read. */
#pragma once

#include <stddef.h>

enum metric {
	METRIC_ELAPSED,
	METRIC_CPU,
	METRIC_ROUTINES,     /* one that takes more of the CPU time */
	METRIC_NEW,          /* one that only one side has */
	METRIC_WORK,         /* counts that grew by one factor, and time with them */
	METRIC_COUNTS,       /* any count that is the same in the runs of a side */
	METRIC_INSTRUCTIONS, /* of the run, where they were counted */
	METRIC_MEMORY,       /* of the largest process */
	METRIC_REQUESTS,     /* that a server answers in a second */
	METRIC_UNITS,        /* of work in a second: --per */
	METRIC_LIMIT
};

#define METRIC_BIT(metric) (1u << (metric))
#define METRICS_DEFAULT    (METRIC_BIT(METRIC_COUNTS) - 1)

/* The set that a list such as "cpu,counts" names. Ends the program with a line and status 2 if it
 * holds an unknown name. */
unsigned metrics_read(const char *list);
/* The nth name; NULL: there are not so many. */
const char *metrics_name(size_t index);
