/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/tables/merged_columns.h"
#include "analyze/tables/table_read.h"

#include <stdlib.h>
#include <string.h>

struct merged_file {
	struct table_file *file; /* holds the texts */
	struct {
		void *rows;
		size_t count;
	} tables[MERGED_TABLE_COUNT];
};

static void read_column(const struct merged_file *file, const struct merged_column *column,
			const struct schema_column *from, const unsigned char *row, uint64_t *words)
{
	if (column->kind == MERGED_TEXT) {
		bool is_text = from && from->type == COLUMN_STRING;
		uint64_t number = is_text ? schema_read_integer(from, row, 0) : 0;
		const char *text = table_text(table_file_find(file->file, "strings"), number);

		memcpy(words, &text, sizeof text);
		return;
	}
	schema_read_numbers(from, row, words, merged_column_words(column));
}

/* from: the file's column for each column of the layout. */
static void read_row(const struct merged_file *file, const struct merged_layout *layout,
		     const struct schema_column *const *from, const unsigned char *row,
		     uint64_t *words)
{
	for (const struct merged_column *column = layout->columns; column->name; column++) {
		read_column(file, column, *from++, row, words);
		words += merged_column_words(column);
	}
}

static const struct schema_column **find_columns(const struct merged_layout *layout,
						 const struct table_schema *schema)
{
	const struct schema_column **columns =
		memory_allocate(layout->row_bytes / sizeof(uint64_t), sizeof(*columns));

	for (size_t i = 0; schema && layout->columns[i].name; i++)
		columns[i] = schema_find_column(schema, layout->columns[i].name);
	return columns;
}

static void read_table(struct merged_file *file, enum merged_table number)
{
	const struct merged_layout *layout = &merged_layouts[number];
	const struct table *table = table_file_find(file->file, layout->name);
	struct table_cursor cursor = {0};
	const unsigned char *row;
	size_t count = 0;

	while (table_next_row(table, &cursor))
		count++;
	char *rows = memory_allocate(count, layout->row_bytes);
	const struct schema_column **columns = find_columns(layout, table ? table->schema : NULL);

	cursor = (struct table_cursor){0};
	for (size_t i = 0; i < count && (row = table_next_row(table, &cursor)); i++)
		read_row(file, layout, columns, row, (uint64_t *)(rows + i * layout->row_bytes));
	free(columns);
	file->tables[number].rows = rows;
	file->tables[number].count = count;
}

static void need_tables(struct table_file *tables)
{
	for (size_t i = 0; i < MERGED_TABLE_COUNT; i++)
		table_file_need(tables, merged_layouts[i].name);
}

static struct merged_file *read_tables(struct table_file *tables, char **problem)
{
	struct merged_file *file = memory_allocate(1, sizeof *file);
	bool is_whole = !tables->is_torn;

	file->file = tables;
	need_tables(tables);
	if (tables->header.version != FORMAT_VERSION_MERGED)
		*problem = memory_copy_text("is no merged run");
	else if (tables->is_newer && is_whole)
		*problem = memory_print("cannot be read: %s", tables->problems.texts[0]);
	else if (tables->is_torn)
		*problem = memory_print("is damaged (%s): merge again",
					tables->problems.count ? tables->problems.texts[0]
							       : "bytes are missing");
	else
		for (size_t i = 0; i < MERGED_TABLE_COUNT; i++)
			read_table(file, i);
	if (tables->header.version == FORMAT_VERSION_MERGED && !tables->is_torn)
		return file;
	merged_file_destroy(file);
	return NULL;
}

struct merged_file *merged_file_open(const char *path, char **problem)
{
	struct table_file *tables = table_file_open(path, problem);

	return tables ? read_tables(tables, problem) : NULL;
}

struct merged_file *merged_file_parse(unsigned char *bytes, size_t size, char **problem)
{
	struct table_file *tables = table_file_parse(bytes, size, problem);

	return tables ? read_tables(tables, problem) : NULL;
}

void merged_file_destroy(struct merged_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < MERGED_TABLE_COUNT; i++)
		free(file->tables[i].rows);
	table_file_destroy(file->file);
	free(file);
}

const void *merged_file_rows(const struct merged_file *file, enum merged_table table, size_t *count)
{
	*count = file->tables[table].count;
	return file->tables[table].rows;
}
