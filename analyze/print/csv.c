/* SPDX-License-Identifier: MIT */
#include "analyze/print/csv.h"

#include "analyze/base/memory.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON as a table: a list of objects has a column for each key; a list inside a row is one value. A
 * zeroed struct is the empty table. */
struct json_rows {
	char **paths; /* of the columns, in the order in which they were first met; "" for a plain
			 value */
	struct json_object **cells; /* of the row that was taken last; NULL: unknown or missing */
	size_t count, capacity, cell_capacity;
	size_t next; /* where the next key of this row is expected */
};

/* Visits every value that is neither an object nor a list, with its path: "levels.0.seconds". */
typedef void json_leaf(void *data, const char *path, struct json_object *value);

/* ---- values by their path */

static char *join(const char *prefix, const char *key)
{
	return *prefix ? memory_print("%s.%s", prefix, key) : memory_copy_text(key);
}

static void walk(struct json_object *value, const char *path, bool with_lists, json_leaf *visit,
		 void *data);

static void walk_list(struct json_object *list, const char *path, json_leaf *visit, void *data)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		char number[24];

		snprintf(number, sizeof number, "%zu", i);
		char *inner = join(path, number);

		walk(json_object_array_get_idx(list, i), inner, true, visit, data);
		free(inner);
	}
}

static void walk(struct json_object *value, const char *path, bool with_lists, json_leaf *visit,
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

/* Nearly always all rows have the same keys in the same order. */
static size_t find_column(struct json_rows *rows, const char *path)
{
	if (rows->next < rows->count && !strcmp(rows->paths[rows->next], path))
		return rows->next++;
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(rows->paths[i], path))
			return rows->next = i + 1, i;
	return rows->count;
}

static void add_column(void *data, const char *path, struct json_object *value)
{
	struct json_rows *rows = data;

	(void)value;
	if (find_column(rows, path) < rows->count)
		return;
	rows->paths = memory_grow(rows->paths, rows->count, &rows->capacity, sizeof *rows->paths);
	rows->cells =
		memory_grow(rows->cells, rows->count, &rows->cell_capacity, sizeof *rows->cells);
	rows->paths[rows->count++] = memory_copy_text(path);
}

static void set_cell(void *data, const char *path, struct json_object *value)
{
	struct json_rows *rows = data;

	rows->cells[find_column(rows, path)] = value;
}

/* To be called for all rows first, since rows may differ in their keys. */
static void json_rows_add_columns(struct json_rows *rows, struct json_object *row)
{
	rows->next = 0;
	walk(row, "", false, add_column, rows);
}

static void json_rows_take(struct json_rows *rows, struct json_object *row)
{
	memset(rows->cells, 0, rows->count * sizeof *rows->cells);
	rows->next = 0;
	walk(row, "", false, set_cell, rows);
}

static void json_rows_clear(struct json_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->paths[i]);
	free(rows->paths);
	free(rows->cells);
	*rows = (struct json_rows){0};
}

static void json_walk(struct json_object *value, json_leaf *visit, void *data)
{
	walk(value, "", true, visit, data);
}

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

static void print_row(FILE *out, const struct json_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (i)
			fputc(',', out);
		print_cell(out, rows->cells[i]);
	}
	fputc('\n', out);
}

static void print_head(FILE *out, const struct json_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (i)
			fputc(',', out);
		print_text(out, *rows->paths[i] ? rows->paths[i] : "text");
	}
	fputc('\n', out);
}

static void print_table(FILE *out, struct json_object *list, size_t top, const char *columns)
{
	size_t count = json_object_array_length(list);
	struct json_rows rows = {0};

	count = top && top < count ? top : count;
	for (size_t i = 0; i < count; i++)
		json_rows_add_columns(&rows, json_object_array_get_idx(list, i));
	if (rows.count)
		print_head(out, &rows);
	else
		fprintf(out, "%s\n", columns);
	for (size_t i = 0; i < count; i++) {
		json_rows_take(&rows, json_object_array_get_idx(list, i));
		print_row(out, &rows);
	}
	json_rows_clear(&rows);
}

static void print_pair(void *data, const char *path, struct json_object *value)
{
	FILE *out = data;

	print_text(out, path);
	fputc(',', out);
	print_cell(out, value);
	fputc('\n', out);
}

void csv_print(FILE *out, struct json_object *value, size_t top, const char *columns)
{
	if (json_object_is_type(value, json_type_array)) {
		print_table(out, value, top, columns);
		return;
	}
	if (!value) {
		fprintf(out, "%s\n", columns);
		return;
	}
	fputs("name,value\n", out);
	json_walk(value, print_pair, out);
}
