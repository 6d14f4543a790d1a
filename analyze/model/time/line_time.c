/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/time/line_time.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>

struct line_row {
	struct merged_routine_lines; /* columns: merged.def; the key is routine and line */
	struct distribution self[WAYS], total[WAYS];
	struct spread_pairs pairs[WAYS];
	size_t seen_in;    /* serial number of the last sample that counted in total */
	size_t unit[WAYS]; /* serial number of the unit that was counted last */
};

struct line_table {
	struct keyed_table *rows; /* struct line_row */
	struct line_unit {
		size_t number;
		struct line_row **touched; /* rows of the current unit */
		size_t touched_count, touched_capacity;
		struct spread_units all; /* that have lines */
	} units[WAYS];
};

struct line_table *line_table_create(void)
{
	struct line_table *table = memory_allocate(1, sizeof *table);

	table->rows =
		keyed_table_create(sizeof(struct line_row), offsetof(struct line_row, time_ns));
	for (size_t way = 0; way < WAYS; way++)
		table->units[way].number = 1; /* 0 marks what was never charged */
	return table;
}

static struct line_row *find_row(struct line_table *table, size_t routine, unsigned line)
{
	const struct line_row probe = {.routine = routine, .line = line};

	return keyed_table_enter(table->rows, &probe, NULL);
}

static void touch(struct line_unit *unit, struct line_row *row, size_t way)
{
	if (row->unit[way] == unit->number)
		return;
	row->unit[way] = unit->number;
	unit->touched = memory_grow(unit->touched, unit->touched_count, &unit->touched_capacity,
				    sizeof(struct line_row *));
	unit->touched[unit->touched_count++] = row;
}

static struct line_row *charge(struct line_table *table, const struct frame *frame)
{
	struct line_row *row = find_row(table, frame->routine, frame->line);

	if (frame->begin)
		row->begin = frame->begin;
	for (size_t way = 0; way < WAYS; way++)
		touch(&table->units[way], row, way);
	return row;
}

void line_table_add_self(struct line_table *table, const struct frame *frame,
			 const struct profile_sample *sample, const struct sample_share *share)
{
	struct line_row *row = charge(table, frame);

	row->time_ns += sample->cpu_ns;
	row->samples += sample->count;
	sample_share_add(&row->share, share);
	for (size_t way = 0; way < WAYS; way++)
		row->self[way].unit_ns += sample->cpu_ns;
}

void line_table_add_share(struct line_table *table, const struct frame *frame,
			  const struct sample_share *share)
{
	sample_share_add(&find_row(table, frame->routine, frame->line)->share, share);
}

void line_table_add_total(struct line_table *table, const struct frame *frame,
			  const struct profile_sample *sample, size_t serial)
{
	struct line_row *row = charge(table, frame);

	if (row->seen_in == serial)
		return;
	row->seen_in = serial;
	row->total_ns += sample->cpu_ns;
	for (size_t way = 0; way < WAYS; way++)
		row->total[way].unit_ns += sample->cpu_ns;
}

void line_table_close_unit(struct line_table *table, size_t way, const struct spread_unit *at)
{
	struct line_unit *unit = &table->units[way];
	size_t number = unit->touched_count ? spread_units_add(&unit->all, at) : 0;

	for (size_t i = 0; i < unit->touched_count; i++) {
		struct line_row *row = unit->touched[i];
		const struct spread_pair pair = {number, row->self[way].unit_ns,
						 row->total[way].unit_ns};

		spread_pairs_add(&row->pairs[way], &unit->all, &pair);
		distribution_close(&row->self[way], at);
		distribution_close(&row->total[way], at);
	}
	unit->touched_count = 0;
	unit->number++;
}

/* ---- merged runs */

static void write_spreads(struct merged_writer *writer, const struct line_row *row, bool is_total)
{
	for (size_t way = 0; way < WAYS; way++) {
		struct merged_line_spreads to = {
			.routine = row->routine,
			.line = row->line,
			.is_total = is_total,
			.by_process = way == BY_PROCESS,
			.spread = (is_total ? row->total : row->self)[way].spread,
		};

		merged_writer_add(writer, MERGED_line_spreads, &to);
	}
}

static void write_values(struct merged_writer *writer, const struct line_table *table,
			 const struct line_row *row)
{
	for (size_t way = 0; way < WAYS; way++)
		for (size_t i = 0; i < row->pairs[way].count; i++) {
			const struct spread_pair *pair = &row->pairs[way].rows[i];
			struct merged_line_values to = {
				.routine = row->routine,
				.line = row->line,
				.by_process = way == BY_PROCESS,
				.self_ns = pair->self_ns,
				.total_ns = pair->total_ns,
				.at = table->units[way].all.rows[pair->unit],
			};

			merged_writer_add(writer, MERGED_line_values, &to);
		}
}

void line_table_write(const struct line_table *table, struct merged_writer *writer)
{
	for (size_t i = 0; i < keyed_table_count(table->rows); i++) {
		const struct line_row *row = keyed_table_row(table->rows, i);

		merged_writer_add(writer, MERGED_routine_lines, row);
		write_spreads(writer, row, false);
		write_spreads(writer, row, true);
		write_values(writer, table, row);
	}
}

static void read_spreads(struct line_table *table, const struct merged_input *input)
{
	struct merged_line_spreads row;

	for (size_t next = 0; merged_next(input, MERGED_line_spreads, &next, &row);) {
		struct line_row *into = find_row(table, row.routine, (unsigned)row.line);

		distribution_unite_row(row.is_total ? into->total : into->self, row.by_process,
				       row.spread);
	}
}

static void read_values(struct line_table *table, const struct merged_input *input)
{
	struct merged_line_values row;

	for (size_t next = 0; merged_next(input, MERGED_line_values, &next, &row);) {
		size_t way = row.by_process ? BY_PROCESS : BY_THREAD;
		struct spread_units *units = &table->units[way].all;

		if (row.by_process)
			row.at.name = NULL;
		const struct spread_pair pair = {spread_units_add(units, &row.at), row.self_ns,
						 row.total_ns};

		spread_pairs_add(&find_row(table, row.routine, (unsigned)row.line)->pairs[way],
				 units, &pair);
	}
}

void line_table_read(struct line_table *table, const struct merged_input *input)
{
	struct merged_routine_lines row;

	for (size_t next = 0; merged_next(input, MERGED_routine_lines, &next, &row);) {
		struct line_row *into = find_row(table, row.routine, (unsigned)row.line);

		merged_unite(MERGED_routine_lines, into, &row);
		if (row.begin)
			into->begin = row.begin;
	}
	read_spreads(table, input);
	read_values(table, input);
}

/* ---- rows */

static struct line_time time_of(const struct line_table *table, const struct line_row *row,
				size_t way)
{
	bool is_by_total = !row->time_ns;

	return (struct line_time){
		.routine = row->routine,
		.line = (unsigned)row->line,
		.begin = (unsigned)row->begin,
		.samples = row->samples,
		.self_ns = row->time_ns,
		.total_ns = row->total_ns,
		.elapsed_ns = row->share.elapsed_ns,
		.alone_ns = row->share.alone_ns,
		.is_share_known = is_by_total || row->share.active_ns > 0,
		.spread = distribution_spread(is_by_total ? &row->total[way] : &row->self[way]),
		.is_by_total = is_by_total,
		.values =
			spread_pairs_values(&row->pairs[way], &table->units[way].all, is_by_total),
		.value_count = row->pairs[way].count,
	};
}

/* Of a routine's lines with equal times the first comes first. */
static int compare_rows(const void *left, const void *right, void *names)
{
	const struct line_time *a = left, *b = right;
	int order;

	if (a->self_ns != b->self_ns)
		return a->self_ns > b->self_ns ? -1 : 1;
	order = names_compare(names, a->routine, b->routine);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

struct line_times line_table_finish(struct line_table *table, const struct names *names, size_t way)
{
	struct line_times times = {.count = keyed_table_count(table->rows)};

	times.rows = memory_allocate(times.count, sizeof *times.rows);
	for (size_t i = 0; i < times.count; i++) {
		struct line_row *row = keyed_table_row(table->rows, i);

		times.rows[i] = time_of(table, row, way);
		for (size_t each = 0; each < WAYS; each++)
			spread_pairs_clear(&row->pairs[each]);
	}
	if (times.count)
		qsort_r(times.rows, times.count, sizeof *times.rows, compare_rows, (void *)names);
	keyed_table_destroy(table->rows);
	for (size_t i = 0; i < WAYS; i++) {
		free(table->units[i].touched);
		free(table->units[i].all.rows);
	}
	free(table);
	return times;
}

void line_times_clear(struct line_times *times)
{
	for (size_t i = 0; i < times->count; i++)
		free(times->rows[i].values);
	free(times->rows);
	*times = (struct line_times){0};
}
