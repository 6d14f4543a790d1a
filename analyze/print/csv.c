/* SPDX-License-Identifier: MIT */
#include "analyze/print/csv.h"

#include "analyze/print/json_rows.h"

#include <string.h>

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
