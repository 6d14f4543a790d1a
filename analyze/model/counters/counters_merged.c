/* SPDX-License-Identifier: MIT */
/* The accumulator of counters to and from merged runs. */
#include "analyze/base/memory.h"
#include "analyze/model/counters/counters_parts.h"
#include "analyze/model/time/spread_merged.h"
#include "analyze/tables/merged.h"

#include <stdlib.h>

/* ---- writing */

/* Figures of an event that add up. */
#define COUNTER_SUMS(X)                                                                            \
	X(refused)                                                                                 \
	X(silent)                                                                                  \
	X(unasked)                                                                                 \
	X(threads)                                                                                 \
	X(enabled_ns)                                                                              \
	X(running_ns)                                                                              \
	X(left_out_ns)                                                                             \
	X(excess)

static void write_event(struct merged_writer *writer, size_t number,
			const struct counter_sums_of_event *event)
{
	const struct counter *row = &event->row;
	struct merged_counter_events copy = {.name = row->name,
					     .unit = row->unit,
					     .type = row->type,
					     .config = row->config,
					     .period = row->period,
					     .group = row->group,
					     .flags = row->flags,
					     .error = row->error,
					     .sum = row->sum.count,
					     .scaled = row->sum.scaled};

#define COPY(figure) copy.figure = row->figure;
	COUNTER_SUMS(COPY)
#undef COPY
	merged_writer_add(writer, MERGED_counter_events, &copy);
	for (size_t way = 0; way < WAYS; way++) {
		struct merged_counter_spreads spread = {
			.event = number,
			SPREAD_TO_MERGED(&event->by[way], way, 0),
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

struct reading {
	struct counters_accumulator *to;
	const struct merged_input *input;
	size_t *event_of; /* number in the accumulator by that in the file */
	size_t limit;
};

static void read_event(struct reading *reading, size_t number,
		       const struct merged_counter_events *from)
{
	size_t event = counters_define_event(reading->to, &(struct counter){.name = from->name,
									    .unit = from->unit,
									    .type = from->type,
									    .config = from->config,
									    .period = from->period,
									    .group = from->group,
									    .flags = from->flags,
									    .error = from->error});

	reading->event_of[number] = event;
	if (!event)
		return;
	struct counter *row = &reading->to->events[event].row;

#define ADD(figure) row->figure += from->figure;
	COUNTER_SUMS(ADD)
#undef ADD
	row->sum.count += from->sum;
	row->sum.scaled += from->scaled;
}

static void read_events(struct reading *reading)
{
	size_t count;
	const struct merged_counter_events *rows =
		merged_file_rows(reading->input->file, MERGED_counter_events, &count);

	reading->limit = count + 1;
	reading->event_of = memory_allocate(reading->limit, sizeof *reading->event_of);
	for (size_t i = 0; i < count; i++)
		read_event(reading, i + 1, &rows[i]);
}

static void read_metrics(const struct reading *reading)
{
	size_t count;
	const struct merged_counter_metrics *rows =
		merged_file_rows(reading->input->file, MERGED_counter_metrics, &count);

	for (size_t i = 0; i < count; i++) {
		const struct counter_metric texts = {
			.name = rows[i].name, .unit = rows[i].unit, .formula = rows[i].formula};

		counters_add_metric(reading->to, &texts, rows[i].steps, reading->event_of,
				    reading->limit);
	}
}

static void read_spreads(const struct reading *reading)
{
	size_t count;
	const struct merged_counter_spreads *rows =
		merged_file_rows(reading->input->file, MERGED_counter_spreads, &count);

	for (size_t i = 0; i < count; i++) {
		const struct merged_counter_spreads *row = &rows[i];
		size_t event = row->event < reading->limit ? reading->event_of[row->event] : 0;
		struct distribution from;

		if (event && SPREAD_FROM_MERGED(&from, row, reading->input, reading->to->names))
			distribution_unite(&reading->to->events[event]
						    .by[row->by_process ? BY_PROCESS : BY_THREAD],
					   &from);
	}
}

/* The number in the model of what a row is about; false: there is none. */
static bool find_key(const struct merged_input *input, const struct merged_counter_places *row,
		     size_t *a)
{
	switch (row->kind) {
	case COUNTER_ROUTINE:
		*a = row->a < input->routine_count ? input->routine_of[row->a] : 0;
		return row->a < input->routine_count;
	case COUNTER_PROCESS:
	case COUNTER_THREAD:
		*a = row->a < input->process_count ? input->process_of[row->a] : 0;
		return row->a < input->process_count;
	default:
		*a = row->a;
		return row->kind < COUNTER_KINDS;
	}
}

static void read_places(const struct reading *reading)
{
	size_t count, a;
	const struct merged_counter_places *rows =
		merged_file_rows(reading->input->file, MERGED_counter_places, &count);

	for (size_t i = 0; i < count; i++) {
		const struct merged_counter_places *row = &rows[i];
		size_t event = row->event < reading->limit ? reading->event_of[row->event] : 0;
		const struct counter_sum sum = {row->count, row->scaled, row->samples};

		if ((row->event && !event) || row->part >= COUNTER_PARTS ||
		    !find_key(reading->input, row, &a))
			continue;
		struct counter_place *place =
			counter_table_place(reading->to->table, row->kind, a, row->b);

		struct counter_sums *to = counter_place_sums(place, event);

		counter_sum_add(&to->part[row->part], &sum);
		to->is_known = true;
	}
}

void counters_accumulator_read(struct counters_accumulator *accumulator,
			       const struct merged_input *input)
{
	struct reading reading = {.to = accumulator, .input = input};

	read_events(&reading);
	read_metrics(&reading);
	read_spreads(&reading);
	read_places(&reading);
	free(reading.event_of);
}
