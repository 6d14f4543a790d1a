/* SPDX-License-Identifier: MIT */
/* The rows of any table of a profile, as its schema describes them. */
#include "analyze/export/export_rows.h"

#include "analyze/base/memory.h"
#include "analyze/export/export_text.h"
#include "analyze/tables/table_merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct export_rows {
	const struct profile *profile;
	const struct table *table;
	struct table_cursor cursor; /* for rows to which others refer */
	struct row_set *united;     /* for the others; NULL: rows keep their numbers */
	size_t next;
};

bool export_rows_has(const struct table *table)
{
	return table->schema->is_usable && table->schema->column_count &&
	       strcmp(table->schema->name, "strings");
}

bool export_rows_shows(const struct schema_column *column)
{
	return column->role != ROLE_INTERNAL;
}

/* Do other tables, or owners of blocks, refer to its rows by number? */
static bool is_referred_to(const struct schema *schema, const char *name)
{
	if (!strcmp(name, "threads"))
		return true;
	for (size_t t = 0; t < schema->table_count; t++)
		for (size_t c = 0; c < schema->tables[t].column_count; c++) {
			const struct schema_column *column = &schema->tables[t].columns[c];

			if (column->role == ROLE_REFERENCE && !strcmp(column->references, name))
				return true;
		}
	return false;
}

static struct row_set *unite(const struct table *table)
{
	struct row_set *set = row_set_create(table->schema);
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(table, &cursor)))
		row_set_add(set, row, cursor.owner);
	return set;
}

struct export_rows *export_rows_open(const struct profile *profile, const struct table *table)
{
	struct export_rows *rows = memory_allocate(1, sizeof *rows);

	rows->profile = profile;
	rows->table = table;
	if (!is_referred_to(profile->file->schema, table->schema->name))
		rows->united = unite(table);
	return rows;
}

static size_t thread_of(const struct profile *profile, uint32_t owner)
{
	const struct table *threads = table_file_find(profile->file, "threads");

	return threads && owner != FORMAT_NO_OWNER ? table_row_index(threads, owner) : 0;
}

static bool next_numbered(struct export_rows *rows, struct export_row *row)
{
	while ((row->bytes = table_next_row(rows->table, &rows->cursor))) {
		row->number = table_row_index(rows->table, rows->cursor.number);
		row->thread = thread_of(rows->profile, rows->cursor.owner);
		if (row->number) /* row 0 is "none" */
			return true;
	}
	return false;
}

bool export_rows_next(struct export_rows *rows, struct export_row *row)
{
	uint32_t owner;

	if (!rows->united)
		return next_numbered(rows, row);
	if (rows->next >= row_set_count(rows->united))
		return false;
	row->bytes = row_set_row(rows->united, rows->next, &owner);
	row->number = ++rows->next;
	row->thread = thread_of(rows->profile, owner);
	return true;
}

void export_rows_close(struct export_rows *rows)
{
	if (rows->united)
		row_set_destroy(rows->united);
	free(rows);
}

/* ---- values */

#define NUMBER_BYTES 21 /* 2^64 - 1 has 20 digits, and a comma */

/* Causes have the numbers of the vocabulary that is exported with them. */
static char *array_text(const struct schema_column *column, const unsigned char *row)
{
	size_t count = column->is_of_causes ? CAUSE_LIMIT : column->elements;
	uint64_t *numbers = memory_allocate(count, sizeof *numbers);
	char *text = memory_allocate(count + 1, NUMBER_BYTES), *end = text;

	schema_read_numbers(column, row, numbers, count);
	for (size_t i = 0; i < count; i++)
		end += sprintf(end, "%c%" PRIu64, i ? ',' : '[', numbers[i]);
	strcpy(end, "]");
	free(numbers);
	return text;
}

static char *column_text(const struct profile *profile, const struct schema_column *column,
			 const unsigned char *row)
{
	if (column->type == COLUMN_STRING)
		return export_text(table_text(table_file_find(profile->file, "strings"),
					      schema_read_integer(column, row, 0)));
	char *bytes =
		memory_print("%.*s", (int)column->elements, (const char *)row + column->offset);
	char *text = export_text(bytes);

	free(bytes);
	return text;
}

static uint64_t reference(const struct profile *profile, const struct schema_column *column,
			  uint64_t number)
{
	const struct table *table = table_file_find(profile->file, column->references);

	return table ? table_row_index(table, number) : 0;
}

struct export_cell export_rows_cell(const struct profile *profile,
				    const struct schema_column *column, const unsigned char *row)
{
	struct export_cell cell = {0};

	if (column->type != COLUMN_INTEGER)
		cell.owned = column_text(profile, column, row);
	else if (column->elements > 1)
		cell.owned = array_text(column, row);
	else
		cell.number = schema_read_integer(column, row, 0);
	if (column->role == ROLE_REFERENCE)
		cell.number = reference(profile, column, cell.number);
	cell.text = cell.owned;
	return cell;
}

void export_cell_clear(struct export_cell *cell)
{
	free(cell->owned);
	*cell = (struct export_cell){0};
}
