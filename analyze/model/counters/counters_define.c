/* SPDX-License-Identifier: MIT */
/* What profiles and merged runs say of their events and metrics: those of one name are one. */
#include "analyze/base/memory.h"
#include "analyze/model/common/names.h"
#include "analyze/model/counters/counters_parts.h"

#include <string.h>

static size_t event_number(struct counters_accumulator *accumulator, const struct counter *said)
{
	size_t number = 1;

	while (number < accumulator->event_limit &&
	       strcmp(accumulator->events[number].row.name, said->name))
		number++;
	if (number < accumulator->event_limit)
		return number;
	if (number > COUNTERS_MAX)
		return 0;
	accumulator->events = memory_grow(accumulator->events, number, &accumulator->event_capacity,
					  sizeof *accumulator->events);
	accumulator->events[number].row.name = names_keep(accumulator->names, said->name);
	accumulator->events[number].row.unit = names_keep(accumulator->names, said->unit);
	accumulator->event_limit = number + 1;
	return number;
}

size_t counters_define_event(struct counters_accumulator *accumulator, const struct counter *said)
{
	size_t number = *said->name ? event_number(accumulator, said) : 0;

	if (!number)
		return 0;
	struct counter *row = &accumulator->events[number].row;

	row->type = said->type;
	row->config = said->config;
	row->group = said->group;
	if (said->period > row->period)
		row->period = said->period;
	row->flags |= said->flags;
	if (said->error)
		row->error = said->error;
	return number;
}

void counters_add_metric(struct counters_accumulator *accumulator,
			 const struct counter_metric *texts, const char *steps,
			 const size_t *event_of, size_t limit)
{
	for (size_t i = 0; i < accumulator->metric_count; i++)
		if (!strcmp(accumulator->metrics[i].name, texts->name))
			return;
	if (!*texts->name || accumulator->metric_count >= COUNTERS_MAX)
		return;
	accumulator->metrics =
		memory_grow(accumulator->metrics, accumulator->metric_count,
			    &accumulator->metric_capacity, sizeof *accumulator->metrics);
	accumulator->metrics[accumulator->metric_count++] = (struct counter_metric){
		.name = names_keep(accumulator->names, texts->name),
		.unit = names_keep(accumulator->names, texts->unit),
		.formula = names_keep(accumulator->names, texts->formula),
		.steps = counter_steps_parse(steps, event_of, limit),
	};
}
