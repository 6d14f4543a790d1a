/* SPDX-License-Identifier: MIT */
/* Counted events and metrics: of the run, and of routines with a noticeable part of them. What a
 * run did not count is unknown in it, not 0, so that nothing is compared with it. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"

#include <math.h>
#include <stdlib.h>

/* Below this share of the run's count a routine is no figure of its own. */
#define ROUTINE_SHARE_MIN 0.001

static struct figure figure_of(const struct counters *counters, size_t event)
{
	const struct counter *row = &counters->rows[event];

	return (struct figure){
		.section = SECTION_COUNTERS,
		.metric = row->name,
		.unit = figures_unit(row->unit),
		.grade = row->grade,
		.effect_ns = NAN,
	};
}

static void add_totals(const struct extract *extract)
{
	const struct counters *counters = &extract->run->counters;

	for (size_t event = 1; event < counters->limit; event++) {
		struct figure figure = figure_of(counters, event);

		figure.key = "the run";
		figure.value = counters_value(counters, &counters->whole, event, COUNTER_SELF);
		figures_add(extract->figures, &figure);
	}
	for (size_t i = 0; i < counters->metric_count; i++) {
		const struct counter_metric *metric = &counters->metrics[i];

		figures_add(extract->figures, &(struct figure){
						      .section = SECTION_COUNTERS,
						      .key = "the run",
						      .metric = metric->name,
						      .unit = UNIT_NUMBER,
						      .grade = metric->grade,
						      .value = metric->value,
						      .effect_ns = NAN,
					      });
	}
}

static void add_routine(const struct extract *extract, const struct counter_place *place)
{
	const struct counters *counters = &extract->run->counters;
	char *key = figure_key_routine(extract->run->names, place->a);

	for (size_t event = 1; event < counters->limit; event++) {
		const struct counter_sum *sum = counter_place_sum(place, event, COUNTER_SELF);
		struct figure figure = figure_of(counters, event);

		if (figure.grade == GRADE_UNKNOWN ||
		    sum->scaled < ROUTINE_SHARE_MIN * counters->rows[event].scaled)
			continue;
		figure.key = key;
		figure.value = sum->scaled;
		figure.grade = grade_worse(figure.grade, GRADE_SAMPLED);
		figure.error = sum->samples ? sum->scaled / sqrt((double)sum->samples) : 0;
		figure.is_further = true;
		figures_add(extract->figures, &figure);
	}
	free(key);
}

void extract_counters(const struct extract *extract)
{
	const struct counter_places *routines = &extract->run->counters.of[COUNTER_ROUTINE];

	if (!counters_are_there(&extract->run->counters))
		return;
	add_totals(extract);
	for (size_t i = 0; i < routines->count; i++)
		add_routine(extract, routines->rows[i]);
}
