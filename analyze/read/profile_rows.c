/* SPDX-License-Identifier: MIT */
#include "analyze/read/profile_rows.h"

#include "analyze/base/memory.h"
#include "analyze/read/section_paths.h"
#include "analyze/tables/table_merge.h"

#include <stdlib.h>
#include <string.h>

/* Where a column is in the file, and what its numbers mean there. */
struct bound_column {
	const struct schema_column *from; /* NULL: the file has no such column */
	const struct table *reference;
	const struct profile_bound *bound;
};

/* A table of the file, and where it is copied to. */
struct bound_table {
	const struct table *table, *threads;
	const struct profile_table *target;
	struct bound_column columns[PROFILE_COLUMNS_MAX];
};

static struct bound_table bind(const struct profile *profile, const struct profile_table *target)
{
	struct bound_table bound = {.table = table_file_find(profile->file, target->name),
				    .threads = table_file_find(profile->file, "threads"),
				    .target = target};

	for (size_t i = 0; bound.table && i < target->column_count; i++) {
		const struct profile_column *column = &target->columns[i];

		bound.columns[i] = (struct bound_column){
			.from = schema_find_column(bound.table->schema, column->name),
			.reference = column->reference
					     ? table_file_find(profile->file, column->reference)
					     : NULL,
			.bound = profile_bound_of(column->name)};
	}
	return bound;
}

/* A text column has no room for a terminating 0 after 16 characters; it is copied to get one. */
static const char *copy_text(struct profile *profile, const unsigned char *bytes, size_t size)
{
	char *text = memory_allocate(size + 1, 1);

	memcpy(text, bytes, size);
	profile->copied_texts =
		memory_grow(profile->copied_texts, profile->copied_text_count,
			    &profile->copied_text_capacity, sizeof *profile->copied_texts);
	profile->copied_texts[profile->copied_text_count++] = text;
	return text;
}

static const char *read_text(struct profile *profile, const struct schema_column *column,
			     const unsigned char *row)
{
	if (!column || column->type == COLUMN_INTEGER)
		return "";
	if (column->type == COLUMN_TEXT)
		return row[column->offset]
			       ? copy_text(profile, row + column->offset, column->elements)
			       : "";
	return table_text(table_file_find(profile->file, "strings"),
			  schema_read_integer(column, row, 0));
}

static uint64_t read_number(const struct profile_column *column, const struct bound_column *bound,
			    const unsigned char *row)
{
	uint64_t number = schema_read_integer(bound->from, row, 0);

	if (column->reference)
		return table_row_index(bound->reference, number);
	if (bound->bound && number >= bound->bound->limit)
		return bound->bound->otherwise;
	return number;
}

static void read_value(struct profile *profile, const struct profile_column *column,
		       const struct bound_column *bound, const unsigned char *row, uint64_t *field)
{
	switch (column->value) {
	case VALUE_NUMBER:
		*field = read_number(column, bound, row);
		break;
	case VALUE_NUMBERS:
		schema_read_numbers(bound->from, row, field, column->words);
		break;
	case VALUE_TEXT:
		*(const char **)field = read_text(profile, bound->from, row);
		break;
	}
}

/* The thread comes first, then the columns. */
static void read_row(struct profile *profile, const struct bound_table *bound,
		     const unsigned char *row, uint32_t owner, char *element)
{
	const struct profile_table *target = bound->target;
	uint64_t *field = (uint64_t *)element;

	*field++ = owner == FORMAT_NO_OWNER ? 0 : table_row_index(bound->threads, owner);
	for (size_t i = 0; i < target->column_count; i++) {
		read_value(profile, &target->columns[i], &bound->columns[i], row, field);
		field += target->columns[i].words;
	}
}

/* A missing row has no texts: row 0, or one that a damaged file refers to. */
static void clear_texts(const struct profile_table *target, char *element)
{
	uint64_t *field = (uint64_t *)element + 1;

	for (size_t i = 0; i < target->column_count; i++) {
		if (target->columns[i].value == VALUE_TEXT)
			*(const char **)field = "";
		field += target->columns[i].words;
	}
}

/* Rows that others refer to keep their numbers, as indices. */
static size_t read_addressable(struct profile *profile, const struct bound_table *bound,
			       char **elements)
{
	size_t size = bound->target->element_bytes, limit = table_index_limit(bound->table);
	struct table_cursor cursor = {0};
	const unsigned char *row;

	*elements = memory_allocate(limit, size);
	for (size_t i = 0; i < limit; i++)
		clear_texts(bound->target, *elements + i * size);
	while ((row = table_next_row(bound->table, &cursor))) {
		size_t index = table_row_index(bound->table, cursor.number);

		if (index)
			read_row(profile, bound, row, cursor.owner, *elements + index * size);
	}
	return limit;
}

/* By its mark (section_paths.h). */
static bool is_left_out(const struct schema_column *path, const unsigned char *row)
{
	return path && schema_read_integer(path, row, 0) == SECTION_PATHS_LEFT_OUT;
}

/* Rows with keys: a thread that filled one block continues in another, where the same keys may
 * occur again. */
static size_t read_united(struct profile *profile, const struct bound_table *bound, char **elements)
{
	struct row_set *set = row_set_create(bound->table->schema);
	const struct schema_column *path = schema_find_column(bound->table->schema, "callpath");
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(bound->table, &cursor)))
		if (!profile->is_restricted || !is_left_out(path, row))
			row_set_add(set, row, cursor.owner);

	size_t size = bound->target->element_bytes, count = row_set_count(set);

	*elements = memory_allocate(count, size);
	for (size_t i = 0; i < count; i++) {
		uint32_t owner;

		row = row_set_row(set, i, &owner);
		read_row(profile, bound, row, owner, *elements + i * size);
	}
	row_set_destroy(set);
	return count;
}

/* In the order in which they were written. */
static size_t read_each(struct profile *profile, const struct bound_table *bound, char **elements)
{
	size_t size = bound->target->element_bytes, count = 0, capacity = 0;
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(bound->table, &cursor))) {
		*elements = memory_grow(*elements, count, &capacity, size);
		read_row(profile, bound, row, cursor.owner, *elements + count++ * size);
	}
	return count;
}

void profile_rows_read(struct profile *profile, const struct profile_table *target)
{
	struct bound_table bound = bind(profile, target);
	char **rows = (char **)((char *)profile + target->rows);
	size_t *count = (size_t *)((char *)profile + target->count);

	if (target->flags & PROFILE_ADDRESSED)
		*count = read_addressable(profile, &bound, rows);
	else if (bound.table)
		*count = target->flags & PROFILE_EACH ? read_each(profile, &bound, rows)
						      : read_united(profile, &bound, rows);
}

void profile_rows_unite(struct profile *profile, const struct profile_table *target, char **rows,
			size_t *count)
{
	struct bound_table bound = bind(profile, target);

	if (bound.table)
		*count = read_united(profile, &bound, rows);
}

void profile_rows_each(struct profile *profile, const struct profile_table *target,
		       void (*visit)(void *data, const void *row), void *data)
{
	struct bound_table bound = bind(profile, target);
	char *element = memory_allocate(1, target->element_bytes);
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while (bound.table && (row = table_next_row(bound.table, &cursor))) {
		read_row(profile, &bound, row, cursor.owner, element);
		visit(data, element);
	}
	free(element);
}
