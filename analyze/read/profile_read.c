/* SPDX-License-Identifier: MIT */
#include "analyze/read/profile_read.h"

#include "analyze/base/memory.h"
#include "analyze/read/profile_columns.h"
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

/* Rows with keys: a thread that filled one block continues in another, where the same keys may
 * occur again. */
static size_t read_united(struct profile *profile, const struct bound_table *bound, char **elements)
{
	struct row_set *set = row_set_create(bound->table->schema);
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(bound->table, &cursor)))
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

static void read_table(struct profile *profile, const struct profile_table *target)
{
	struct bound_table bound = bind(profile, target);
	char **rows = (char **)((char *)profile + target->rows);
	size_t *count = (size_t *)((char *)profile + target->count);

	if (target->flags & PROFILE_ADDRESSED)
		*count = read_addressable(profile, &bound, rows);
	else if (bound.table)
		*count = read_united(profile, &bound, rows);
}

static void read_process(struct profile *profile)
{
	struct {
		struct profile_process *rows;
		size_t count;
	} processes = {NULL, 0};
	struct bound_table bound = bind(profile, &profile_process_table);

	if (bound.table)
		processes.count = read_united(profile, &bound, (char **)&processes.rows);
	profile->process = (struct profile_process){.command = "", .executable = "", .host = ""};
	if (processes.count)
		profile->process = processes.rows[0];
	if (!profile->process.pid)
		profile->process.pid = profile->header.pid;
	free(processes.rows);
}

/* Of a summary, too: what is missing is told at once. */
static void need_tables(struct table_file *file)
{
	table_file_need(file, profile_process_table.name);
	for (size_t i = 0; i < profile_table_count; i++)
		table_file_need(file, profile_tables[i].name);
}

/* Parents come first, so that every walk towards the root ends. */
static void cut_cycles(struct profile *profile)
{
	for (size_t i = 0; i < profile->callpaths.count; i++)
		if (profile->callpaths.rows[i].parent >= i && profile->callpaths.rows[i].parent) {
			profile->callpaths.rows[i].parent = 0;
			profile->file->is_torn = true;
			text_list_add(&profile->file->problems, "call paths are damaged");
		}
	for (size_t i = 0; i < profile->omp_regions.count; i++)
		if (profile->omp_regions.rows[i].parent >= i &&
		    profile->omp_regions.rows[i].parent) {
			profile->omp_regions.rows[i].parent = 0;
			profile->file->is_torn = true;
			text_list_add(&profile->file->problems, "OpenMP regions are damaged");
		}
}

/* The number of a function of Python is a part of a column. */
static void refer_to_python(struct profile *profile)
{
	const struct table *codes = table_file_find(profile->file, "python_code");

	for (size_t i = 0; i < profile->callpaths.count; i++) {
		struct profile_callpath *row = &profile->callpaths.rows[i];
		uint64_t number = row->offset & UINT32_MAX;

		if (row->flags & CALLPATH_PYTHON)
			row->offset += (codes ? table_row_index(codes, number) : 0) - number;
	}
}

/* Of rows of any table: the thread is their first field. */
static int compare_threads(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

#define SORT_BY_THREAD(table)                                                                      \
	do {                                                                                       \
		if ((table).count)                                                                 \
			qsort((table).rows, (table).count, sizeof *(table).rows, compare_threads); \
	} while (0)

static struct profile *read_profile(const char *path, struct table_file *file, bool is_summary)
{
	struct profile *profile = memory_allocate(1, sizeof *profile);

	profile->path = memory_copy_text(path);
	profile->file = file;
	profile->header = file->header;
	need_tables(file);
	read_process(profile);
	for (size_t i = 0; i < profile_table_count; i++)
		if (!is_summary || profile_tables[i].flags & PROFILE_SUMMARY)
			read_table(profile, &profile_tables[i]);
	cut_cycles(profile);
	refer_to_python(profile);
	SORT_BY_THREAD(profile->samples);
	SORT_BY_THREAD(profile->event_counts);
	SORT_BY_THREAD(profile->event_samples);
	return profile;
}

static struct profile *read_checked(const char *path, struct table_file *file, bool is_summary,
				    char **problem)
{
	if (!file)
		return NULL;
	if (file->header.version == FORMAT_VERSION)
		return read_profile(path, file, is_summary);
	*problem = memory_copy_text("is no profile but a merged run: name its directory");
	table_file_destroy(file);
	return NULL;
}

struct profile *profile_open(const char *path, char **problem)
{
	return read_checked(path, table_file_open(path, problem), false, problem);
}

struct profile *profile_open_summary(const char *path, char **problem)
{
	return read_checked(path, table_file_open(path, problem), true, problem);
}

struct profile *profile_parse(const char *path, unsigned char *bytes, size_t size, char **problem)
{
	return read_checked(path, table_file_parse(bytes, size, problem), false, problem);
}

void profile_destroy(struct profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile_table_count; i++)
		free(*(void **)((char *)profile + profile_tables[i].rows));
	for (size_t i = 0; i < profile->copied_text_count; i++)
		free(profile->copied_texts[i]);
	free(profile->copied_texts);
	table_file_destroy(profile->file);
	free(profile->path);
	free(profile);
}
