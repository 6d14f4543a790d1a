/* SPDX-License-Identifier: MIT */
#include "analyze/export/export_events.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"

#include <math.h>
#include <stdlib.h>

struct export_events export_events_of(const struct run *run)
{
	const struct counters *counters = &run->counters;
	struct export_events events = {
		.rows = memory_allocate(counters->limit, sizeof *events.rows)};

	for (size_t event = COUNTER_CPU + 1; event < counters->limit; event++)
		if (counters->rows[event].grade != GRADE_UNKNOWN)
			events.rows[events.count++].counter = &counters->rows[event];
	return events;
}

void export_events_clear(struct export_events *events)
{
	free(events->rows);
	*events = (struct export_events){0};
}

size_t export_events_find(const struct export_events *events, const char *name)
{
	size_t number = 0;

	while (number < events->count && events->rows[number].counter->name != name)
		number++;
	return number;
}

uint64_t export_events_round(struct export_event *event, double scaled)
{
	uint64_t before = event->whole;

	if (!(scaled > 0)) /* damaged files have any number */
		return 0;
	event->scaled += scaled;
	event->whole = number_of_real(rint(event->scaled));
	return event->whole - before;
}

char *export_events_missing(const struct run *run, size_t *at)
{
	const struct counters *counters = &run->counters;

	while (++*at < counters->limit) {
		const struct counter *counter = &counters->rows[*at];
		char *reason = counter->grade == GRADE_UNKNOWN ? counters_reason(counter) : NULL;
		char *text = reason ? memory_print("%s was not counted: %s", counter->name, reason)
				    : NULL;

		free(reason);
		if (text)
			return text;
	}
	return NULL;
}

uint64_t *export_events_by_node(struct export_events *events, const struct path_tree *tree)
{
	uint64_t *counts = memory_allocate(tree->count * events->count, sizeof *counts);

	for (size_t i = 0; i < path_counts_count(tree->counts); i++) {
		const struct path_count *count = path_counts_at(tree->counts, i);
		size_t event = export_events_find(events, count->event);

		if (event < events->count)
			counts[count->node * events->count + event] +=
				export_events_round(&events->rows[event], count->scaled);
	}
	return counts;
}
