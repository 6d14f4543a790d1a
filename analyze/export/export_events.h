/* SPDX-License-Identifier: MIT */
/* The counted events of a run, for formats that have a column for each: whole numbers whose sum is
 * that of the report.
 *
 * Events that take turns have counts with a fraction (struct counter_sum, scaled). They are rounded
 * so that a sum of any number of them is the rounded sum. Context: pure; lives no longer than the
 * run. */
#pragma once

#include "analyze/model/run/run.h"

struct export_event {
	const struct counter *counter;
	double scaled;  /* of the counts that were rounded so far */
	uint64_t whole; /* what they became */
};

struct export_events {
	struct export_event *rows; /* those that some thread counted */
	size_t count;
};

struct export_events export_events_of(const struct run *run);
void export_events_clear(struct export_events *events);
/* The number of an event by its name, a text of the run's names; count: there is none. */
size_t export_events_find(const struct export_events *events, const char *name);
uint64_t export_events_round(struct export_event *event, double scaled);
/* What is said of the events that nobody counted, "cycles: not counted: ..."; released by the
 * caller. NULL: nothing more. at: 0 at first, and passed on. */
char *export_events_missing(const struct run *run, size_t *at);

/* By node of the calling-context tree: counts[node * events->count + event]; released by the
 * caller. */
uint64_t *export_events_by_node(struct export_events *events, const struct path_tree *tree);
