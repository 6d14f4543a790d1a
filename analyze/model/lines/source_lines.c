/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/lines/source_lines.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"

#include <stdlib.h>

static struct source_line *find_line(struct keyed_table *table, size_t routine, size_t line)
{
	const struct source_line probe = {.routine = routine, .line = line};

	return keyed_table_enter(table, &probe, NULL);
}

static void add_cpu(struct keyed_table *table, const struct line_times *times)
{
	for (size_t i = 0; i < times->count; i++)
		find_line(table, times->rows[i].routine, times->rows[i].line)->cpu =
			&times->rows[i];
}

static void add_synchronization(struct keyed_table *table,
				const struct synchronization *synchronization)
{
	for (size_t i = 0; i < synchronization->count; i++) {
		const struct sync_sites *waiters = &synchronization->rows[i].waiters;
		const struct sync_sites *blame = &synchronization->rows[i].blame;

		for (size_t k = 0; k < waiters->count; k++) {
			const struct sync_site *site = &waiters->rows[k];
			struct source_line *row = find_line(table, site->routine, site->line);

			row->wait_ns += site->time_ns;
			row->waits += site->count;
		}
		for (size_t k = 0; k < blame->count; k++)
			find_line(table, blame->rows[k].routine, blame->rows[k].line)->blame_ns +=
				blame->rows[k].time_ns;
	}
}

static void add_mpi(struct keyed_table *table, const struct mpi_site_lists *lists)
{
	for (size_t i = 0; i < lists->site_count; i++) {
		const struct mpi_site *site = &lists->sites[i];
		struct source_line *row = find_line(table, site->routine, site->line);

		row->mpi_ns += site->figures.sum_ns;
		row->mpi_calls += site->figures.count;
	}
}

static void add_constructs(struct keyed_table *table, const struct omp_region *region)
{
	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_construct_row *row = &region->constructs[i];

		if (vocabulary_construct_time(row->construct) == OMP_TIME_WAIT)
			find_line(table, row->routine, row->line)->omp_ns += row->time_ns;
	}
}

static void add_openmp(struct keyed_table *table, const struct omp_regions *regions)
{
	for (size_t i = 0; i < regions->count; i++) {
		const struct omp_region *region = &regions->rows[i];

		if (region->join_ns > 0)
			find_line(table, region->place.routine, region->place.line)->omp_ns +=
				region->join_ns;
		add_constructs(table, region);
	}
	add_constructs(table, &regions->outside);
}

static void add_counters(struct keyed_table *table, const struct counter_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		find_line(table, places->rows[i]->a, places->rows[i]->b)->counted = places->rows[i];
}

double source_line_waited_ns(const struct source_line *line)
{
	return (double)line->wait_ns + line->omp_ns;
}

double source_line_spent_ns(const struct source_line *line)
{
	return (double)(line->cpu ? line->cpu->self_ns : 0) + source_line_waited_ns(line) +
	       (double)line->mpi_ns;
}

static double counted_of(const struct source_line *line, size_t event)
{
	return line->counted ? counter_place_sum(line->counted, event, COUNTER_SELF)->scaled : 0;
}

static size_t events_of(const struct source_line *line)
{
	return line->counted ? line->counted->limit : 0;
}

bool source_line_has_counts(const struct source_line *line)
{
	bool is_any = false;

	for (size_t event = COUNTER_CPU + 1; event < events_of(line); event++)
		is_any |= counted_of(line, event) > 0;
	return is_any;
}

/* Lines without any time may still have events: the most of the first of these first. */
static int compare_counts(const struct source_line *a, const struct source_line *b)
{
	for (size_t event = COUNTER_CPU + 1; event < events_of(a) || event < events_of(b); event++)
		if (counted_of(a, event) != counted_of(b, event))
			return counted_of(a, event) > counted_of(b, event) ? -1 : 1;
	return 0;
}

static int compare_rows(const void *left, const void *right, void *names)
{
	const struct source_line *a = left, *b = right;
	double spent_a = source_line_spent_ns(a), spent_b = source_line_spent_ns(b);
	int order;

	if (spent_a != spent_b)
		return spent_a > spent_b ? -1 : 1;
	if (a->blame_ns != b->blame_ns)
		return a->blame_ns > b->blame_ns ? -1 : 1;
	order = compare_counts(a, b);
	if (order)
		return order;
	order = names_compare(names, a->routine, b->routine);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* ---- where files end */

struct file_end {
	const char *file; /* the key: equal files are one text of the names */
	size_t line;
};

static struct keyed_table *ends_of(const struct run *run, const struct source_lines *lines)
{
	struct keyed_table *ends =
		keyed_table_create(sizeof(struct file_end), offsetof(struct file_end, line));

	for (size_t i = 0; i < lines->count; i++) {
		const struct source_line *line = &lines->rows[i];
		const struct file_end probe = {
			.file = names_routine(run->names, line->routine)->file};
		struct file_end *end = probe.file ? keyed_table_enter(ends, &probe, NULL) : NULL;

		if (end && line->line > end->line)
			end->line = line->line;
	}
	return ends;
}

unsigned source_lines_end(const struct source_lines *lines, const char *file)
{
	const struct file_end probe = {.file = file};
	const struct file_end *end = file ? keyed_table_find(lines->ends, &probe) : NULL;

	return end ? (unsigned)end->line : 0;
}

struct source_lines source_lines_sorted(const struct run *run, struct source_line *rows,
					size_t count)
{
	struct source_lines lines = {.rows = rows, .count = count};

	if (count)
		qsort_r(rows, count, sizeof *rows, compare_rows, run->names);
	lines.ends = ends_of(run, &lines);
	return lines;
}

/* ---- lines that are one entry */

static bool has_figures(const struct keyed_table *table, size_t routine, size_t line)
{
	const struct source_line probe = {.routine = routine, .line = line};

	return keyed_table_find(table, &probe) != NULL;
}

/* Farther away no line is part of an entry: the search for one has to end somewhere. */
enum { ENTRY_REACH = 64 };

/* Does the entry of the next line with figures above it (in the source) reach the line? Of two
 * entries that do, the first has it. */
static bool is_reached(const struct run *run, const struct keyed_table *table, size_t routine,
		       size_t line)
{
	for (size_t above = line - 1; above && above + ENTRY_REACH > line; above--)
		if (has_figures(table, routine, above)) {
			const struct line_span *span =
				line_spans_find(names_line_spans(run->names), routine, above);

			return span && span->last >= line;
		}
	return false;
}

static bool may_begin_at(const struct run *run, const struct keyed_table *table,
			 const struct source_line *line, size_t first)
{
	return first && line->line - first < ENTRY_REACH &&
	       !has_figures(table, line->routine, first) &&
	       !is_reached(run, table, line->routine, first);
}

/* An entry ends where another line has figures of its own: of a call that was inlined there, or
 * elsewhere. Nothing is in two entries. */
static void find_span(const struct run *run, const struct keyed_table *table,
		      struct source_line *line)
{
	const struct line_span *span =
		line_spans_find(names_line_spans(run->names), line->routine, line->line);
	size_t first = line->line, last = line->line;

	if (!span)
		return;
	while (first > span->first && may_begin_at(run, table, line, first - 1))
		first--;
	while (last < span->last && last - line->line < ENTRY_REACH &&
	       !has_figures(table, line->routine, last + 1))
		last++;
	if (first == last)
		return;
	line->first = (unsigned)first;
	line->last = (unsigned)last;
}

struct source_lines source_lines_of(const struct run *run)
{
	struct keyed_table *table =
		keyed_table_create(sizeof(struct source_line), offsetof(struct source_line, cpu));
	struct source_line *rows;
	size_t count;

	add_cpu(table, &run->routines.lines);
	add_synchronization(table, &run->synchronization);
	add_mpi(table, &run->mpi.lists);
	add_openmp(table, &run->omp.regions);
	add_counters(table, &run->counters.lines);
	count = keyed_table_count(table);
	rows = memory_allocate(count, sizeof *rows);
	for (size_t i = 0; i < count; i++) {
		rows[i] = *(struct source_line *)keyed_table_row(table, i);
		find_span(run, table, &rows[i]);
	}
	keyed_table_destroy(table);
	return source_lines_sorted(run, rows, count);
}

void source_lines_clear(struct source_lines *lines)
{
	free(lines->rows);
	keyed_table_destroy(lines->ends);
	*lines = (struct source_lines){0};
}
