/* SPDX-License-Identifier: MIT */
#include "analyze/print/csv.h"

#include "analyze/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct columns {
	char **paths;
	struct json_object **cells; /* of the row at hand */
	size_t count, capacity, cell_capacity;
	size_t next; /* where the next key of this row is expected */
};

/* ---- cells */

static void print_quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_text(FILE *out, const char *text)
{
	if (strpbrk(text, ",\"\r\n"))
		print_quoted(out, text);
	else
		fputs(text, out);
}

static void print_cell(FILE *out, struct json_object *value)
{
	if (!value)
		return;
	print_text(out, json_object_is_type(value, json_type_string)
				? json_object_get_string(value)
				: json_object_to_json_string_ext(
					  value,
					  JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* ---- values by their path */

typedef void visit_leaf(void *data, const char *path, struct json_object *value);

static char *join(const char *prefix, const char *key)
{
	return *prefix ? memory_print("%s.%s", prefix, key) : memory_copy_text(key);
}

static void walk(struct json_object *value, const char *path, bool with_lists, visit_leaf *visit,
		 void *data);

static void walk_list(struct json_object *list, const char *path, visit_leaf *visit, void *data)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		char number[24];

		snprintf(number, sizeof number, "%zu", i);
		char *inner = join(path, number);

		walk(json_object_array_get_idx(list, i), inner, true, visit, data);
		free(inner);
	}
}

static void walk(struct json_object *value, const char *path, bool with_lists, visit_leaf *visit,
		 void *data)
{
	if (with_lists && json_object_is_type(value, json_type_array)) {
		walk_list(value, path, visit, data);
		return;
	}
	if (!json_object_is_type(value, json_type_object)) {
		visit(data, path, value);
		return;
	}
	json_object_object_foreach(value, key, member)
	{
		char *inner = join(path, key);

		walk(member, inner, with_lists, visit, data);
		free(inner);
	}
}

/* ---- a table */

/* Rows have the same keys in the same order, almost always. */
static size_t find_column(struct columns *columns, const char *path)
{
	if (columns->next < columns->count && !strcmp(columns->paths[columns->next], path))
		return columns->next++;
	for (size_t i = 0; i < columns->count; i++)
		if (!strcmp(columns->paths[i], path))
			return columns->next = i + 1, i;
	return columns->count;
}

static void add_column(void *data, const char *path, struct json_object *value)
{
	struct columns *columns = data;

	(void)value;
	if (find_column(columns, path) < columns->count)
		return;
	columns->paths = memory_grow(columns->paths, columns->count, &columns->capacity,
				     sizeof *columns->paths);
	columns->cells = memory_grow(columns->cells, columns->count, &columns->cell_capacity,
				     sizeof *columns->cells);
	columns->paths[columns->count++] = memory_copy_text(path);
}

static void set_cell(void *data, const char *path, struct json_object *value)
{
	struct columns *columns = data;

	columns->cells[find_column(columns, path)] = value;
}

static void print_row(FILE *out, struct columns *columns, struct json_object *row)
{
	memset(columns->cells, 0, columns->count * sizeof *columns->cells);
	columns->next = 0;
	walk(row, "", false, set_cell, columns);
	for (size_t i = 0; i < columns->count; i++) {
		if (i)
			fputc(',', out);
		print_cell(out, columns->cells[i]);
	}
	fputc('\n', out);
}

static void print_head(FILE *out, const struct columns *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		if (i)
			fputc(',', out);
		print_text(out, *columns->paths[i] ? columns->paths[i] : "text");
	}
	fputc('\n', out);
}

static void print_table(FILE *out, struct json_object *list, size_t top)
{
	size_t rows = json_object_array_length(list);
	struct columns columns = {0};

	rows = top && top < rows ? top : rows;
	for (size_t i = 0; i < rows; i++) {
		columns.next = 0;
		walk(json_object_array_get_idx(list, i), "", false, add_column, &columns);
	}
	if (columns.count)
		print_head(out, &columns);
	for (size_t i = 0; i < rows; i++)
		print_row(out, &columns, json_object_array_get_idx(list, i));
	for (size_t i = 0; i < columns.count; i++)
		free(columns.paths[i]);
	free(columns.paths);
	free(columns.cells);
}

static void print_pair(void *data, const char *path, struct json_object *value)
{
	FILE *out = data;

	print_text(out, path);
	fputc(',', out);
	print_cell(out, value);
	fputc('\n', out);
}

void csv_print(FILE *out, struct json_object *value, size_t top)
{
	if (json_object_is_type(value, json_type_array)) {
		print_table(out, value, top);
		return;
	}
	if (!value)
		return;
	fputs("name,value\n", out);
	walk(value, "", true, print_pair, out);
}
