/* SPDX-License-Identifier: MIT */
#include "analyze/model/sections/section_marks.h"

#include "analyze/base/memory.h"
#include "analyze/read/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct keyed_table *section_marks_create(void)
{
	return keyed_table_create(sizeof(struct merged_marks),
				  offsetof(struct merged_marks, count));
}

static bool is_less(uint64_t a, uint64_t b)
{
	return (int64_t)a < (int64_t)b;
}

static void unite_values(struct merged_marks *into, const struct merged_marks *from)
{
	if (from->first_ns < into->first_ns) {
		into->first_ns = from->first_ns;
		into->first_value = from->first_value;
	}
	if (from->last_ns >= into->last_ns) {
		into->last_ns = from->last_ns;
		into->last_value = from->last_value;
	}
	if (is_less(from->min_value, into->min_value))
		into->min_value = from->min_value;
	if (is_less(into->max_value, from->max_value))
		into->max_value = from->max_value;
}

void section_marks_unite(struct keyed_table *marks, const struct merged_marks *row)
{
	bool is_new;
	struct merged_marks *into = keyed_table_enter(marks, row, &is_new);

	if (is_new)
		return;
	unite_values(into, row);
	into->count += row->count;
	into->between += row->between;
	into->between_ns += row->between_ns;
}

void section_marks_add(struct keyed_table *marks, const char *name, const struct profile *profile,
		       size_t row)
{
	const struct profile_mark *from = &profile->marks.rows[row];
	bool is_repeated = from->count > 1 && from->last_ns > from->first_ns;
	const struct merged_marks mark = {
		.name = name,
		.count = from->count,
		.first_ns = from->first_ns,
		.last_ns = from->last_ns,
		.first_value = from->first_value,
		.last_value = from->last_value,
		.min_value = from->min_value,
		.max_value = from->max_value,
		.between_ns = is_repeated ? from->last_ns - from->first_ns : 0,
		.between = is_repeated ? from->count - 1 : 0,
	};

	if (from->count)
		section_marks_unite(marks, &mark);
}

static int compare(const void *left, const void *right)
{
	const struct section_mark *a = left, *b = right;

	return strcmp(a->name, b->name);
}

void section_marks_finish(const struct keyed_table *marks, struct sections *sections)
{
	sections->mark_count = keyed_table_count(marks);
	sections->marks = memory_allocate(sections->mark_count + 1, sizeof *sections->marks);
	for (size_t i = 0; i < sections->mark_count; i++) {
		struct section_mark *mark = &sections->marks[i];

		memcpy(mark, keyed_table_row(marks, i), sizeof(struct merged_marks));
		mark->between_mean_ns =
			mark->between ? (double)mark->between_ns / (double)mark->between : NAN;
	}
	qsort(sections->marks, sections->mark_count, sizeof *sections->marks, compare);
}
