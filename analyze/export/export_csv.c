/* SPDX-License-Identifier: MIT */
/* One table of all profiles as comma-separated values (RFC 4180, but lines end in \n): which
 * process, the row, then every column; next to a reference to a call path the path in words.
 *
 * The columns are those of the first profile that has the table. Rows are written as they are read;
 * csv.h prints values of the JSON report, which is kept in memory. */
#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/export/export.h"
#include "analyze/export/export_rows.h"
#include "analyze/export/export_text.h"
#include "analyze/model/common/call_stack.h"

#include <stdlib.h>
#include <string.h>

struct csv_column {
	char *name;
	bool is_path; /* a cell with the path in words follows */
};

struct csv {
	struct export *export;
	struct csv_column *columns; /* NULL: no profile had the table yet */
	size_t column_count, column_capacity;
	struct call_stack stack;
};

static void print_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

static bool is_path(const struct schema_column *column)
{
	return column->role == ROLE_REFERENCE && !strcmp(column->references, "callpaths") &&
	       strcmp(column->name, "parent");
}

/* ---- the first line */

static void read_columns(struct csv *csv, const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (!export_rows_shows(&schema->columns[i]))
			continue;
		csv->columns = memory_grow(csv->columns, csv->column_count, &csv->column_capacity,
					   sizeof *csv->columns);
		csv->columns[csv->column_count++] = (struct csv_column){
			memory_copy_text(schema->columns[i].name), is_path(&schema->columns[i])};
	}
}

/* Columns that precede those of every table, and say to whom the row belongs. */
static const char *const front[] = {"process", "rank", "host", "pid", "sequence", "thread", "row"};

/* Column names must be unique: in a conflict the table's name is put in front. */
static void print_name(FILE *out, const char *table, const char *column)
{
	for (size_t i = 0; i < sizeof front / sizeof *front; i++)
		if (!strcmp(front[i], column)) {
			fprintf(out, "%s_%s", table, column);
			return;
		}
	print_text(out, column);
}

static void print_head(struct csv *csv, const struct table_schema *schema)
{
	FILE *out = csv->export->out;

	for (size_t i = 0; i < sizeof front / sizeof *front; i++)
		fprintf(out, "%s%s", i ? "," : "", front[i]);
	for (size_t i = 0; i < csv->column_count; i++) {
		fputc(',', out);
		print_name(out, schema->name, csv->columns[i].name);
		if (csv->columns[i].is_path)
			fprintf(out, ",%s_path", csv->columns[i].name);
	}
	fputs(strcmp(schema->name, "callpaths") ? "\n" : ",path\n", out);
}

/* ---- rows */

static void print_path(struct csv *csv, const struct profile *profile, size_t callpath)
{
	char *path = export_path_text(csv->export->run->names, profile, callpath, &csv->stack);

	fputc(',', csv->export->out);
	print_text(csv->export->out, path);
	free(path);
}

/* column: NULL if this profile has none of that name. */
static void print_cell(struct csv *csv, const struct profile *profile, bool with_path,
		       const struct schema_column *column, const unsigned char *row)
{
	FILE *out = csv->export->out;
	struct export_cell cell = {.text = ""};

	if (column)
		cell = export_rows_cell(profile, column, row);
	fputc(',', out);
	if (cell.text)
		print_text(out, cell.text);
	else
		fprintf(out, "%llu", (unsigned long long)cell.number);
	if (with_path)
		print_path(csv, profile, cell.number);
	export_cell_clear(&cell);
}

static void print_process(FILE *out, const struct process *process)
{
	char *host = export_text(process->file->process.host);

	fprintf(out, "%zu,", process->index);
	if (process->rank != MPI_NO_RANK)
		fprintf(out, "%llu", (unsigned long long)process->rank);
	fputc(',', out);
	print_text(out, host);
	fprintf(out, ",%u,%u,", process->file->header.pid, process->file->header.sequence);
	free(host);
}

static void print_rows(struct csv *csv, const struct profile *profile,
		       const struct process *process, const struct table *table)
{
	FILE *out = csv->export->out;
	struct export_rows *rows = export_rows_open(profile, table);
	const struct schema_column **columns = memory_allocate(csv->column_count, sizeof(*columns));
	bool is_callpaths = !strcmp(table->schema->name, "callpaths");
	struct export_row row;

	for (size_t i = 0; i < csv->column_count; i++)
		columns[i] = schema_find_column(table->schema, csv->columns[i].name);
	while (export_rows_next(rows, &row)) {
		print_process(out, process);
		if (row.thread)
			fprintf(out, "%zu", row.thread);
		fprintf(out, ",%zu", row.number);
		for (size_t i = 0; i < csv->column_count; i++)
			print_cell(csv, profile, csv->columns[i].is_path, columns[i], row.bytes);
		if (is_callpaths)
			print_path(csv, profile, row.number);
		fputc('\n', out);
	}
	free(columns);
	export_rows_close(rows);
}

static void write_profile(void *data, const struct profile *profile, const struct process *process)
{
	struct csv *csv = data;
	const struct table *table = table_file_find(profile->file, csv->export->table);

	if (!table || !export_rows_has(table))
		return;
	if (!csv->columns) {
		read_columns(csv, table->schema);
		print_head(csv, table->schema);
	}
	print_rows(csv, profile, process, table);
}

/* ---- --table help */

static void list_tables(void *data, const struct profile *profile, const struct process *process)
{
	struct csv *csv = data;

	(void)process;
	for (size_t i = 0; !csv->columns && i < profile->file->schema->table_count; i++) {
		const struct table_schema *schema = &profile->file->schema->tables[i];

		if (export_rows_has(&profile->file->tables[i]))
			fprintf(csv->export->out, "%-18s %s\n", schema->name, schema->meaning);
	}
	csv->columns = csv->columns ? csv->columns : memory_allocate(1, sizeof *csv->columns);
}

void export_csv(struct export *export)
{
	struct csv csv = {.export = export};
	bool is_help = !strcmp(export->table, "help");

	export_profiles(export, is_help ? list_tables : write_profile, &csv);
	if (!csv.columns)
		die("no profile of the run has a table %s: --table help lists them", export->table);
	for (size_t i = 0; i < csv.column_count; i++)
		free(csv.columns[i].name);
	free(csv.columns);
	call_stack_clear(&csv.stack);
}
