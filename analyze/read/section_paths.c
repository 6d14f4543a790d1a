/* SPDX-License-Identifier: MIT */
#include "analyze/read/section_paths.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "preload/file/vocabulary.h"

#include <stdlib.h>
#include <string.h>

/* Of a row of callpaths; row 0 is "none". */
struct path {
	uint32_t plain;        /* index of the same path without marks */
	uint32_t plain_number; /* its row number */
	struct section_place place;
};

struct section_paths {
	const struct table *table, *sections;
	const struct schema_column *parent, *module, *flags, *offset, *kind;
	struct path *rows;
	size_t count;
};

/* What makes two rows one path. */
struct known_path {
	uint64_t caller, module, flags, offset; /* the key; caller: index of the plain one */
	uint32_t plain, number;
};

/* The first column of a row that is there is not 0. */
static bool has_rows(const struct table *table)
{
	const struct schema_column *kind = schema_find_column(table->schema, "kind");
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(table, &cursor)))
		if (schema_read_integer(kind, row, 0))
			return true;
	return false;
}

static const unsigned char *row_of(const struct table *table, uint64_t number)
{
	for (size_t i = 0; i < table->block_count; i++) {
		const struct table_block *block = &table->blocks[i];

		if (number >= block->first_row && number - block->first_row < block->row_count)
			return block->rows + (number - block->first_row) * table->schema->row_bytes;
	}
	return NULL;
}

/* ---- what the rows are */

static bool is_mark(const struct section_paths *paths, const unsigned char *row)
{
	return schema_read_integer(paths->flags, row, 0) & CALLPATH_MARK &&
	       schema_read_integer(paths->offset, row, 0) >= MARK_SECTIONS;
}

/* A number of no section is of none: the mark is looked through all the same. */
static void add_mark(const struct section_paths *paths, struct path *path, const unsigned char *row)
{
	uint64_t number = schema_read_integer(paths->offset, row, 0) - MARK_SECTIONS;
	uint32_t index = (uint32_t)table_row_index(paths->sections, number);
	const unsigned char *section = index ? row_of(paths->sections, number) : NULL;

	if (!section)
		return;
	if (schema_read_integer(paths->kind, section, 0) == SECTION_PHASE)
		path->place.phase = index;
	else
		path->place.section = index;
}

/* Parents come first. What a damaged file says otherwise is told by who reads the rows: here such a
 * row is an outermost one. */
static const struct path *caller_of(const struct section_paths *paths, const unsigned char *row,
				    size_t index)
{
	size_t caller = table_row_index(paths->table, schema_read_integer(paths->parent, row, 0));

	return &paths->rows[caller < index ? caller : 0];
}

static void add_path(struct section_paths *paths, struct keyed_table *known,
		     const unsigned char *row, uint32_t number)
{
	size_t index = table_row_index(paths->table, number);

	if (!index || index >= paths->count)
		return;
	struct path *path = &paths->rows[index];

	*path = *caller_of(paths, row, index);
	if (is_mark(paths, row)) {
		add_mark(paths, path, row);
		return;
	}
	const struct known_path probe = {.caller = path->plain,
					 .module = schema_read_integer(paths->module, row, 0),
					 .flags = schema_read_integer(paths->flags, row, 0),
					 .offset = schema_read_integer(paths->offset, row, 0),
					 .plain = (uint32_t)index,
					 .number = number};
	const struct known_path *first = keyed_table_enter(known, &probe, NULL);

	path->plain = first->plain;
	path->plain_number = first->number;
}

static void read_paths(struct section_paths *paths)
{
	struct keyed_table *known =
		keyed_table_create(sizeof(struct known_path), offsetof(struct known_path, plain));
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(paths->table, &cursor)))
		add_path(paths, known, row, cursor.number);
	keyed_table_destroy(known);
}

struct section_paths *section_paths_of(const struct table_file *file)
{
	const struct table *sections = table_file_find(file, "sections");
	const struct table *table = table_file_find(file, "callpaths");

	if (!table || !table->schema->is_usable || !sections || !sections->schema->is_usable ||
	    !has_rows(sections))
		return NULL;
	struct section_paths *paths = memory_allocate(1, sizeof *paths);

	*paths = (struct section_paths){
		.table = table,
		.sections = sections,
		.parent = schema_find_column(table->schema, "parent"),
		.module = schema_find_column(table->schema, "module"),
		.flags = schema_find_column(table->schema, "flags"),
		.offset = schema_find_column(table->schema, "offset"),
		.kind = schema_find_column(sections->schema, "kind"),
		.count = table_index_limit(table),
	};
	paths->rows = memory_allocate(paths->count, sizeof *paths->rows);
	read_paths(paths);
	return paths;
}

void section_paths_destroy(struct section_paths *paths)
{
	if (!paths)
		return;
	free(paths->rows);
	free(paths);
}

struct section_place section_paths_place(const struct section_paths *paths, size_t callpath)
{
	return callpath < paths->count ? paths->rows[callpath].place : (struct section_place){0};
}

size_t section_paths_plain(const struct section_paths *paths, size_t callpath)
{
	return callpath < paths->count ? paths->rows[callpath].plain : 0;
}

/* ---- the file */

/* The bytes of a file belong to its reader, who lends them as constant. */
static unsigned char *next_row(const struct table *table, struct table_cursor *cursor)
{
	return (unsigned char *)table_next_row(table, cursor);
}

/* A parent that does not come first stays: who reads the rows will tell. */
static void apply_to_path(const struct section_paths *paths, unsigned char *row, size_t index)
{
	const struct path *path = &paths->rows[index];
	size_t caller = table_row_index(paths->table, schema_read_integer(paths->parent, row, 0));

	if (path->plain != index)
		memset(row, 0, paths->table->schema->row_bytes);
	else if (paths->parent && caller && caller < index)
		schema_write_integer(paths->parent, row, 0, paths->rows[caller].plain_number);
}

static void apply_to_paths(const struct section_paths *paths)
{
	struct table_cursor cursor = {0};
	unsigned char *row;

	while ((row = next_row(paths->table, &cursor))) {
		size_t index = table_row_index(paths->table, cursor.number);

		if (index && index < paths->count)
			apply_to_path(paths, row, index);
	}
}

static void apply_to_column(const struct section_paths *paths, const struct table *table,
			    const struct schema_column *column)
{
	struct table_cursor cursor = {0};
	unsigned char *row;

	while ((row = next_row(table, &cursor))) {
		size_t index = table_row_index(paths->table, schema_read_integer(column, row, 0));

		if (index && index < paths->count)
			schema_write_integer(column, row, 0, paths->rows[index].plain_number);
	}
}

void section_paths_leave_out(const struct section_paths *paths, const struct table *table,
			     const bool *inside)
{
	const struct schema_column *column = schema_find_column(table->schema, "callpath");
	struct table_cursor cursor = {0};
	unsigned char *row;

	while (column && (row = next_row(table, &cursor))) {
		size_t index = table_row_index(paths->table, schema_read_integer(column, row, 0));
		struct section_place place = section_paths_place(paths, index);

		if (!inside[place.section] && !inside[place.phase])
			schema_write_integer(column, row, 0, SECTION_PATHS_LEFT_OUT);
	}
}

static void apply_to_table(const struct section_paths *paths, const struct table *table)
{
	for (size_t i = 0; i < table->schema->column_count; i++) {
		const struct schema_column *column = &table->schema->columns[i];

		if (column->role == ROLE_REFERENCE && column->type == COLUMN_INTEGER &&
		    column->elements == 1 && !strcmp(column->references, "callpaths"))
			apply_to_column(paths, table, column);
	}
}

void section_paths_apply(const struct section_paths *paths, struct table_file *file)
{
	for (size_t i = 0; i < file->schema->table_count; i++)
		if (file->schema->tables[i].is_usable && &file->tables[i] != paths->table)
			apply_to_table(paths, &file->tables[i]);
	apply_to_paths(paths);
}
