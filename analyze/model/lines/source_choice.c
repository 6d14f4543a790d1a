/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* qsort_r */
#include "analyze/model/lines/source_choice.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

struct candidate {
	size_t routine; /* the key */
	double time_ns;
};

static bool is_candidate(const struct run *run, size_t number)
{
	const struct routine *routine = names_routine(run->names, number);

	return routine->file && !routine->is_runtime;
}

static int compare(const void *left, const void *right, void *names)
{
	const struct candidate *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? -1 : 1;
	return names_compare(names, a->routine, b->routine);
}

static struct keyed_table *candidates_of(const struct run *run, const struct source_lines *lines)
{
	struct keyed_table *table =
		keyed_table_create(sizeof(struct candidate), offsetof(struct candidate, time_ns));

	for (size_t i = 0; i < lines->count; i++) {
		const struct source_line *line = &lines->rows[i];
		const struct candidate probe = {.routine = line->routine};
		double time_ns = source_line_spent_ns(line) + (double)line->blame_ns;

		if (time_ns > 0 && is_candidate(run, line->routine))
			((struct candidate *)keyed_table_enter(table, &probe, NULL))->time_ns +=
				time_ns;
	}
	return table;
}

size_t *source_choice_of(const struct run *run, const struct source_lines *lines, size_t *count)
{
	struct keyed_table *table = candidates_of(run, lines);
	struct candidate *rows;
	size_t *routines;

	*count = keyed_table_count(table);
	rows = memory_allocate(*count, sizeof *rows);
	routines = memory_allocate(*count, sizeof *routines);
	for (size_t i = 0; i < *count; i++)
		rows[i] = *(struct candidate *)keyed_table_row(table, i);
	if (*count)
		qsort_r(rows, *count, sizeof *rows, compare, run->names);
	for (size_t i = 0; i < *count; i++)
		routines[i] = rows[i].routine;
	keyed_table_destroy(table);
	free(rows);
	return routines;
}
