/* SPDX-License-Identifier: MIT */
/* The accumulator of counters to and from merged runs. */
#include "analyze/base/memory.h"
#include "analyze/model/counters/counters_parts.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>

/* ---- writing */

static void write_event(struct merged_writer *writer, size_t number,
			const struct counter_sums_of_event *event)
{
	merged_writer_add(writer, MERGED_counter_events, &event->row);
	for (size_t way = 0; way < WAYS; way++) {
		struct merged_counter_spreads spread = {
			.event = number,
			.by_process = way == BY_PROCESS,
			.spread = event->by[way].spread,
		};

		merged_writer_add(writer, MERGED_counter_spreads, &spread);
	}
}

static void write_metric(struct merged_writer *writer, const struct counter_metric *metric)
{
	char *steps = counter_steps_text(&metric->steps);
	struct merged_counter_metrics copy = {metric->name, metric->unit, metric->formula, steps};

	merged_writer_add(writer, MERGED_counter_metrics, &copy);
	free(steps);
}

static void write_place(struct merged_writer *writer, const struct counter_place *place)
{
	for (size_t event = 0; event < place->limit; event++)
		for (size_t part = 0; part < COUNTER_PARTS; part++) {
			const struct counter_sum *sum = counter_place_sum(place, event, part);
			struct merged_counter_places copy = {place->kind, place->a,    place->b,
							     event,       part,        sum->count,
							     sum->scaled, sum->samples};

			bool is_zero = part == COUNTER_SELF && place->sums[event].is_known;

			if (sum->count || sum->samples || sum->scaled > 0 || is_zero)
				merged_writer_add(writer, MERGED_counter_places, &copy);
		}
}

void counters_accumulator_write(const struct counters_accumulator *accumulator,
				struct merged_writer *writer)
{
	for (size_t i = 1; i < accumulator->event_limit; i++)
		write_event(writer, i, &accumulator->events[i]);
	for (size_t i = 0; i < accumulator->metric_count; i++)
		write_metric(writer, &accumulator->metrics[i]);
	for (size_t i = 0; i < counter_table_count(accumulator->table); i++)
		write_place(writer, counter_table_at(accumulator->table, i));
}

/* ---- reading */

/* Numbers of events are from 1 on: 0 is CPU time, or no event. */
static void read_events(struct counters_accumulator *to, struct merged_input *input)
{
	struct counter row;

	for (size_t next = 0; merged_next(input, MERGED_counter_events, &next, &row);) {
		size_t event = counters_define_event(to, &row);

		if (!event)
			continue;
		merged_number(input, MERGED_counter_events, next, event - 1);
		merged_unite(MERGED_counter_events, &to->events[event].row, &row);
	}
}

/* The number of each event of the file, for formulas; released by the caller. */
static size_t *find_events(const struct merged_input *input, size_t *limit)
{
	size_t count;

	merged_input_rows(input, MERGED_counter_events, &count);
	size_t *event_of = memory_allocate(count + 1, sizeof *event_of);

	for (size_t i = 0; i < count; i++)
		event_of[i + 1] = merged_number_of(input, MERGED_counter_events, i) + 1;
	*limit = count + 1;
	return event_of;
}

static void read_metrics(struct counters_accumulator *to, const struct merged_input *input)
{
	struct merged_counter_metrics row;
	size_t limit, *event_of = find_events(input, &limit);

	for (size_t next = 0; merged_next(input, MERGED_counter_metrics, &next, &row);) {
		const struct counter_metric texts = {
			.name = row.name, .unit = row.unit, .formula = row.formula};

		counters_add_metric(to, &texts, row.steps, event_of, limit);
	}
	free(event_of);
}

static void read_spreads(struct counters_accumulator *to, const struct merged_input *input)
{
	struct merged_counter_spreads row;

	for (size_t next = 0; merged_next(input, MERGED_counter_spreads, &next, &row);)
		if (row.event)
			distribution_unite_row(to->events[row.event].by, row.by_process,
					       row.spread);
}

/* Puts the number in the model of what a row is about in its place; false: there is none. */
static bool translate_key(const struct merged_input *input, struct merged_counter_places *row)
{
	switch (row->kind) {
	case COUNTER_ROUTINE:
		row->a = merged_number_of(input, MERGED_routines, row->a);
		return row->a != MERGED_NO_ROW;
	case COUNTER_PROCESS:
	case COUNTER_THREAD:
		row->a = merged_number_of(input, MERGED_processes, row->a);
		return row->a != MERGED_NO_ROW;
	default: /* of causes there is COUNTER_WHOLE as well */
		return row->kind < COUNTER_KINDS;
	}
}

static void read_places(struct counters_accumulator *to, const struct merged_input *input)
{
	struct merged_counter_places row;

	for (size_t next = 0; merged_next(input, MERGED_counter_places, &next, &row);) {
		const struct counter_sum sum = {row.count, row.scaled, row.samples};

		if (row.part >= COUNTER_PARTS || !translate_key(input, &row))
			continue;
		struct counter_place *place =
			counter_table_place(to->table, row.kind, row.a, row.b);
		struct counter_sums *sums = counter_place_sums(place, row.event);

		counter_sum_add(&sums->part[row.part], &sum);
		sums->is_known = true;
	}
}

void counters_accumulator_read(struct counters_accumulator *accumulator, struct merged_input *input)
{
	read_events(accumulator, input);
	read_metrics(accumulator, input);
	read_spreads(accumulator, input);
	read_places(accumulator, input);
}
