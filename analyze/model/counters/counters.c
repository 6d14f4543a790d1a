/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/counters/counters.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/names.h"
#include "analyze/model/counters/counters_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct counters_accumulator *counters_accumulator_create(struct names *names)
{
	struct counters_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->table = counter_table_create();
	accumulator->events =
		memory_grow(NULL, 0, &accumulator->event_capacity, sizeof *accumulator->events);
	accumulator->events[COUNTER_CPU].row = (struct counter){.name = "CPU time", .unit = "ns"};
	accumulator->event_limit = 1;
	return accumulator;
}

/* ---- events and metrics */

/* Threads that counted nothing of it, by whichever of the two is more: a thread that could not has
 * no counts either. */
static uint64_t missing_of(const struct counter *row)
{
	uint64_t without = row->silent + row->unasked;

	return row->refused > without ? row->refused : without;
}

static enum grade grade_of(const struct counter *row)
{
	if (!row->threads)
		return GRADE_UNKNOWN;
	if (row->running_ns < row->enabled_ns || missing_of(row) || row->left_out_ns || row->excess)
		return GRADE_ESTIMATED;
	return GRADE_EXACT;
}

static struct counter finish_event(struct counter_sums_of_event *event)
{
	struct counter row = event->row;

	row.grade = grade_of(&row);
	row.coverage = row.enabled_ns
			       ? (double)row.running_ns / (double)(row.enabled_ns + row.left_out_ns)
			       : NAN;
	for (size_t way = 0; way < WAYS; way++)
		row.by[way] = distribution_spread(&event->by[way]);
	return row;
}

static void finish_metric(const struct counters *counters, struct counter_metric *metric)
{
	metric->grade = metric->steps.count ? GRADE_EXACT : GRADE_UNKNOWN;
	for (size_t i = 0; i < metric->steps.count; i++) {
		const struct counter_step *step = &metric->steps.rows[i];

		if (step->op != STEP_EVENT)
			continue;
		metric->grade = grade_worse(metric->grade, counters->rows[step->event].grade);
		if (!metric->missing && counters->rows[step->event].grade == GRADE_UNKNOWN)
			metric->missing = step->event;
	}
	metric->value = counters_metric(counters, metric, &counters->whole, COUNTER_SELF);
	if (isnan(metric->value))
		metric->grade = GRADE_UNKNOWN;
}

static void add_to_whole(struct counters *counters, enum counter_kind kind, enum counter_part part)
{
	const struct counter_places *places = &counters->of[kind];

	for (size_t i = 0; i < places->count; i++)
		for (size_t event = 0; event < counters->limit; event++)
			counter_sum_add(&counter_place_sums(&counters->whole, event)->part[part],
					counter_place_sum(places->rows[i], event, part));
}

/* CPU time has no row in merged runs, but the processes have it. */
static void make_whole(struct counters *counters)
{
	add_to_whole(counters, COUNTER_PROCESS, COUNTER_SELF);
	add_to_whole(counters, COUNTER_LEVEL, COUNTER_ALONE);
	add_to_whole(counters, COUNTER_LEVEL, COUNTER_COMPANY);
	const struct counter_sum *all =
		counter_place_sum(&counters->whole, COUNTER_CPU, COUNTER_SELF);

	counters->rows[COUNTER_CPU].sum = all->count;
	counters->rows[COUNTER_CPU].scaled = all->scaled;
	counters->rows[COUNTER_CPU].grade = GRADE_EXACT;
}

/* ---- places */

/* What the rows are sorted by: the events in the order of the request, then CPU time. */
struct sorting {
	const struct names *names;
	const struct counters *counters;
};

static double order_of(const struct sorting *sorting, const struct counter_place *place)
{
	for (size_t event = 1; event < sorting->counters->limit; event++)
		if (sorting->counters->rows[event].grade != GRADE_UNKNOWN)
			return counter_place_sum(place, event, COUNTER_SELF)->scaled;
	return counter_place_sum(place, COUNTER_CPU, COUNTER_SELF)->scaled;
}

static int compare_keys(const struct counter_place *a, const struct counter_place *b)
{
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

static int compare_places(const void *left, const void *right, void *data)
{
	const struct sorting *sorting = data;
	const struct counter_place *a = *(const struct counter_place *const *)left;
	const struct counter_place *b = *(const struct counter_place *const *)right;
	double order_a, order_b;
	int order;

	if (a->kind == COUNTER_CAUSE || a->kind == COUNTER_LEVEL)
		return compare_keys(a, b);
	order_a = order_of(sorting, a);
	order_b = order_of(sorting, b);
	if (order_a != order_b)
		return order_a > order_b ? -1 : 1;
	order = a->kind == COUNTER_ROUTINE ? names_compare(sorting->names, a->a, b->a) : 0;
	return order ? order : compare_keys(a, b);
}

static void add_place(struct counter_places *places, const struct counter_place *place,
		      size_t capacity)
{
	if (!places->rows)
		places->rows = memory_allocate(capacity, sizeof *places->rows);
	places->rows[places->count++] = place;
}

static void sort_places(struct counter_places *places, struct sorting *sorting)
{
	if (places->count)
		qsort_r(places->rows, places->count, sizeof *places->rows, compare_places, sorting);
}

static void make_places(struct counters *counters, const struct names *names)
{
	struct sorting sorting = {names, counters};
	size_t count = counter_table_count(counters->table);

	for (size_t i = 0; i < count; i++) {
		const struct counter_place *place = counter_table_at(counters->table, i);
		bool is_line = place->kind == COUNTER_ROUTINE && place->b != COUNTER_WHOLE;

		add_place(is_line ? &counters->lines : &counters->of[place->kind], place, count);
	}
	sort_places(&counters->lines, &sorting);
	for (size_t kind = 0; kind < COUNTER_KINDS; kind++)
		sort_places(&counters->of[kind], &sorting);
}

struct counters counters_accumulator_finish(struct counters_accumulator *accumulator,
					    uint64_t elapsed_ns)
{
	struct counters counters = {
		.limit = accumulator->event_limit,
		.metrics = accumulator->metrics,
		.metric_count = accumulator->metric_count,
		.elapsed_seconds = (double)elapsed_ns / 1e9,
		.whole = {.kind = COUNTER_KINDS},
		.table = accumulator->table,
	};

	counters.rows = memory_allocate(counters.limit, sizeof *counters.rows);
	for (size_t i = 0; i < counters.limit; i++)
		counters.rows[i] = finish_event(&accumulator->events[i]);
	make_places(&counters, accumulator->names);
	make_whole(&counters);
	for (size_t i = 0; i < counters.metric_count; i++)
		finish_metric(&counters, &counters.metrics[i]);
	call_stack_clear(&accumulator->stack);
	free(accumulator->events);
	free(accumulator);
	return counters;
}

void counters_clear(struct counters *counters)
{
	for (size_t i = 0; i < counters->metric_count; i++)
		counter_steps_clear(&counters->metrics[i].steps);
	for (size_t kind = 0; kind < COUNTER_KINDS; kind++)
		free(counters->of[kind].rows);
	free(counters->lines.rows);
	free(counters->metrics);
	free(counters->rows);
	free(counters->whole.sums);
	counter_table_destroy(counters->table);
	*counters = (struct counters){0};
}

/* ---- questions */

bool counters_are_there(const struct counters *counters)
{
	return counters->limit > 1;
}

size_t counters_event_named(const struct counters *counters, const char *name)
{
	for (size_t event = COUNTER_CPU + 1; event < counters->limit; event++)
		if (!strcmp(counters->rows[event].name, name))
			return event;
	return 0;
}

double counters_value(const struct counters *counters, const struct counter_place *place,
		      size_t event, enum counter_part part)
{
	if (event >= counters->limit || counters->rows[event].grade == GRADE_UNKNOWN)
		return NAN;
	if (place && event != COUNTER_CPU && !counter_place_knows(place, event))
		return NAN;
	return place ? counter_place_sum(place, event, part)->scaled : 0;
}

double counters_metric(const struct counters *counters, const struct counter_metric *metric,
		       const struct counter_place *place, enum counter_part part)
{
	double *events = memory_allocate(counters->limit, sizeof *events), value;
	bool is_whole = place == &counters->whole;

	for (size_t event = 1; event < counters->limit; event++)
		events[event] = counters_value(counters, place, event, part);
	const struct counter_operands operands = {
		.events = events,
		.event_limit = counters->limit,
		.cpu_seconds = place && place->kind != COUNTER_CAUSE
				       ? counters_value(counters, place, COUNTER_CPU, part) / 1e9
				       : NAN,
		.elapsed_seconds = is_whole ? counters->elapsed_seconds : NAN,
	};

	value = counter_steps_value(&metric->steps, &operands);
	free(events);
	return value;
}

const struct counter_place *counters_of_line(const struct counters *counters, size_t routine,
					     unsigned line)
{
	return counter_table_find(counters->table, COUNTER_ROUTINE, routine, line);
}

const struct counter_place *counters_of_routine(const struct counters *counters, size_t routine)
{
	return counter_table_find(counters->table, COUNTER_ROUTINE, routine, COUNTER_WHOLE);
}
