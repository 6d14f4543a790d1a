/* SPDX-License-Identifier: MIT */
/* An SQLite database: every table of the profiles as its schema describes it, and tables with which
 * SQL can join names: routines, places, names of locks, vocabularies, views.
 *
 * Every row says to which process it belongs. Tables and columns come from the files: a table, or a
 * column, that only some of the profiles have is added when it is first met. */
#include "analyze/base/memory.h"
#include "analyze/export/export.h"
#include "analyze/export/export_rows.h"
#include "analyze/export/sqlite_names.h"
#include "analyze/export/sqlite_store.h"
#include "analyze/export/sqlite_views.h"
#include "analyze/read/profile_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct sqlite_table {
	char *name;
	char **columns;
	size_t column_count, column_capacity;
	sqlite3_stmt *insert; /* NULL: columns have been added since */
};

struct sqlite_export {
	struct export *export;
	struct sqlite_store *store;
	struct sqlite_table *tables;
	size_t count, capacity;
	struct sqlite_names *names;
};

/* ---- tables and columns */

/* SQL compares names without regard to case. */
static struct sqlite_table *find_table(struct sqlite_export *to, const char *name)
{
	for (size_t i = 0; i < to->count; i++)
		if (!strcasecmp(to->tables[i].name, name))
			return &to->tables[i];
	return NULL;
}

static struct sqlite_table *add_table(struct sqlite_export *to, const char *name)
{
	sqlite_store_run(to->store,
			 "CREATE TABLE \"%w\" (process INTEGER, row INTEGER, thread INTEGER, "
			 "PRIMARY KEY (process, row)) WITHOUT ROWID",
			 name);
	to->tables = memory_grow(to->tables, to->count, &to->capacity, sizeof *to->tables);
	to->tables[to->count] = (struct sqlite_table){.name = memory_copy_text(name)};
	return &to->tables[to->count++];
}

/* Values that are added up are numbers for every tool; addresses and hashes may need more than 63
 * bits. */
static const char *type_of(const struct schema_column *column)
{
	if (column->type != COLUMN_INTEGER || column->elements > 1)
		return "TEXT";
	return strcmp(column->unit, "none") && strcmp(column->unit, "address") ? "INTEGER" : "";
}

static size_t find_column(struct sqlite_export *to, struct sqlite_table *table,
			  const struct schema_column *column)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (!strcasecmp(table->columns[i], column->name))
			return i;
	sqlite_store_run(to->store, "ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s", table->name,
			 column->name, type_of(column));
	sqlite3_finalize(table->insert);
	table->insert = NULL;
	table->columns = memory_grow(table->columns, table->column_count, &table->column_capacity,
				     sizeof *table->columns);
	table->columns[table->column_count] = memory_copy_text(column->name);
	return table->column_count++;
}

static void prepare_insert(struct sqlite_export *to, struct sqlite_table *table)
{
	char *text = NULL;
	size_t bytes;

	if (table->insert)
		return;
	FILE *out = open_memstream(&text, &bytes);

	fputs("?, ?, ?", out);
	for (size_t i = 0; i < table->column_count; i++)
		fputs(", ?", out);
	fclose(out);
	table->insert = sqlite_store_prepare(to->store, "INSERT INTO \"%w\" VALUES (%s)",
					     table->name, text);
	free(text);
}

/* ---- rows */

static bool is_reserved(const char *column)
{
	return !strcasecmp(column, "process") || !strcasecmp(column, "row") ||
	       !strcasecmp(column, "thread");
}

/* The columns of the file in the order of the table's; NULL for those that the file does not
 * have. */
static const struct schema_column **bind_columns(struct sqlite_export *to,
						 struct sqlite_table *table,
						 const struct table_schema *schema)
{
	const struct schema_column **columns =
		memory_allocate(table->column_count + schema->column_count, sizeof(*columns));

	for (size_t i = 0; i < schema->column_count; i++)
		if (export_rows_shows(&schema->columns[i]) && !is_reserved(schema->columns[i].name))
			columns[find_column(to, table, &schema->columns[i])] = &schema->columns[i];
	return columns;
}

static void write_cell(struct sqlite_row *out, const struct profile *profile,
		       const struct schema_column *column, const unsigned char *row)
{
	if (!column) {
		sqlite_row_null(out);
		return;
	}
	struct export_cell cell = export_rows_cell(profile, column, row);

	if (cell.text)
		sqlite_row_text(out, cell.text);
	else
		sqlite_row_number(out, cell.number);
	export_cell_clear(&cell);
}

static void write_rows(struct sqlite_export *to, struct sqlite_table *table,
		       const struct profile *profile, size_t process, const struct table *from)
{
	const struct schema_column **columns = bind_columns(to, table, from->schema);
	struct export_rows *rows = export_rows_open(profile, from);
	struct export_row row;

	prepare_insert(to, table);
	while (export_rows_next(rows, &row)) {
		struct sqlite_row out = sqlite_row_begin(to->store, table->insert);

		sqlite_row_number(&out, process);
		sqlite_row_number(&out, row.number);
		if (row.thread)
			sqlite_row_number(&out, row.thread);
		else
			sqlite_row_null(&out);
		for (size_t i = 0; i < table->column_count; i++)
			write_cell(&out, profile, columns[i], row.bytes);
		sqlite_row_end(&out);
	}
	export_rows_close(rows);
	free(columns);
}

/* A table of a later version may have the name of one of ours; one in a damaged profile any
 * name. */
static bool is_taken(const char *name)
{
	return sqlite_names_has(name) || !strncasecmp(name, "sqlite_", strlen("sqlite_"));
}

/* A damaged schema may give one name to two tables, whose rows have the same numbers. */
static bool is_repeated(const struct schema *schema, size_t table)
{
	for (size_t i = 0; i < table; i++)
		if (!strcasecmp(schema->tables[i].name, schema->tables[table].name))
			return true;
	return false;
}

static void write_profile(void *data, const struct profile *profile, const struct process *process)
{
	struct sqlite_export *to = data;

	for (size_t i = 0; i < profile->file->schema->table_count; i++) {
		const struct table *from = &profile->file->tables[i];
		struct sqlite_table *table;

		if (!export_rows_has(from) || is_repeated(profile->file->schema, i))
			continue;
		char *name = memory_print("%s%s", is_taken(from->schema->name) ? "profile_" : "",
					  from->schema->name);

		table = find_table(to, name);
		write_rows(to, table ? table : add_table(to, name), profile, process->index, from);
		free(name);
	}
	sqlite_names_add(to->names, profile, process);
}

static bool has_column(const struct sqlite_table *table, const char *name)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (!strcasecmp(table->columns[i], name))
			return true;
	return is_reserved(name);
}

/* Views name columns that profiles of earlier versions do not have: they are NULL there. */
static void add_missing_columns(struct sqlite_export *to, const struct profile_table *known)
{
	const struct sqlite_table *table = find_table(to, known->name);

	for (size_t i = 0; table && i < known->column_count; i++)
		if (!has_column(table, known->columns[i].name))
			sqlite_store_run(to->store, "ALTER TABLE \"%w\" ADD COLUMN \"%w\"",
					 table->name, known->columns[i].name);
}

void export_sqlite(struct export *export)
{
	struct sqlite_export to = {
		.export = export,
		.store = sqlite_store_create(export->output),
	};

	to.names = sqlite_names_create(to.store, export->run);
	export_profiles(export, write_profile, &to);
	sqlite_names_finish(to.names);
	for (size_t i = 0; i < profile_table_count; i++)
		add_missing_columns(&to, &profile_tables[i]);
	for (size_t i = 0; i < to.count; i++) {
		sqlite3_finalize(to.tables[i].insert);
		for (size_t c = 0; c < to.tables[i].column_count; c++)
			free(to.tables[i].columns[c]);
		free(to.tables[i].columns);
		free(to.tables[i].name);
	}
	free(to.tables);
	sqlite_views_write(to.store);
	sqlite_store_finish(to.store);
}
