/* SPDX-License-Identifier: MIT */
/* JSON that nobody has written columns for: a section that is added later is shown at once. */
#include "analyze/page/html_json.h"

#include "analyze/base/memory.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json_rows.h"

#include <stdlib.h>
#include <string.h>

/* What the end of a key says of its unit, and whether the end is left out of the title. */
static const struct {
	const char *end;
	enum html_format format;
	bool is_unit;
} units[] = {
	{"_seconds", HTML_SECONDS, true},     {"seconds", HTML_SECONDS, false},
	{"_percent", HTML_PERCENT, true},     {"percent", HTML_PERCENT, false},
	{"bytes", HTML_SIZE, false},          {"bytes_sent", HTML_SIZE, false},
	{"bytes_received", HTML_SIZE, false},
};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

static enum html_format format_of(const char *path, struct json_object *value)
{
	if (json_object_is_type(value, json_type_double) ||
	    json_object_is_type(value, json_type_int))
		for (size_t i = 0; i < sizeof units / sizeof *units; i++)
			if (ends_with(path, units[i].end))
				return units[i].format;
	return json_object_is_type(value, json_type_double) ? HTML_NUMBER
	       : json_object_is_type(value, json_type_int)  ? HTML_COUNT
							    : HTML_TEXT;
}

/* "waits.mutex" -> "waits mutex", "self_seconds" -> "self"; released by the caller. */
static char *title_of(const char *path)
{
	char *title = memory_copy_text(*path ? path : "text");

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (units[i].is_unit && ends_with(title, units[i].end))
			title[strlen(title) - strlen(units[i].end)] = 0;
	for (char *at = title; *at; at++)
		if (*at == '_' || *at == '.')
			*at = ' ';
	return title;
}

static char *plain_text(struct json_object *value, enum html_format format)
{
	if (json_object_is_type(value, json_type_array) ||
	    json_object_is_type(value, json_type_object))
		return memory_copy_text(json_object_to_json_string_ext(
			value, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
	return value ? html_json_text(value, format) : memory_copy_text("?");
}

static void add_value(struct html_table *table, const char *path, struct json_object *value)
{
	enum html_format format = format_of(path, value);

	html_table_add(table, plain_text(value, format));
	if (format != HTML_TEXT)
		html_table_set_value(table, memory_copy_text(json_object_get_string(value)));
}

/* ---- a list: a column for each key */

static struct html_column *make_columns(const struct json_rows *rows, struct json_object *first)
{
	struct html_column *columns = memory_allocate(rows->count, sizeof *columns);

	for (size_t i = 0; i < rows->count; i++) {
		struct json_object *value = html_json_at(first, rows->paths[i]);
		bool is_text = format_of(rows->paths[i], value) == HTML_TEXT;

		columns[i] = (struct html_column){title_of(rows->paths[i]),
						  is_text ? HTML_LEFT : HTML_RIGHT};
	}
	return columns;
}

static void print_rows(FILE *out, const char *caption, struct json_rows *rows,
		       struct json_object *list, size_t count)
{
	struct html_column *columns = make_columns(rows, html_json_element(list, 0));
	struct html_table *table = html_table_create(caption, columns, rows->count);

	for (size_t i = 0; i < count; i++) {
		json_rows_take(rows, html_json_element(list, i));
		for (size_t c = 0; c < rows->count; c++)
			add_value(table, rows->paths[c], rows->cells[c]);
	}
	html_table_print(table, out);
	for (size_t i = 0; i < rows->count; i++)
		free((char *)columns[i].title);
	free(columns);
}

static void print_list(FILE *out, const char *caption, struct json_object *list, size_t top)
{
	size_t all = html_json_count(list), count = top && top < all ? top : all;
	struct json_rows rows = {0};

	for (size_t i = 0; i < count; i++)
		json_rows_add_columns(&rows, html_json_element(list, i));
	if (rows.count)
		print_rows(out, caption, &rows, list, count);
	else
		html_element(out, "p", "none", "none");
	html_more(out, all - count);
	json_rows_clear(&rows);
}

/* ---- an object: names and values */

static void add_pair(void *data, const char *path, struct json_object *value)
{
	struct html_table *table = data;

	html_table_add(table, title_of(path));
	add_value(table, path, value);
}

void html_json_any(FILE *out, const char *caption, struct json_object *value, size_t top)
{
	static const struct html_column columns[] = {{"name", HTML_LEFT}, {"value", HTML_LEFT}};

	if (json_object_is_type(value, json_type_array)) {
		print_list(out, caption, value, top);
		return;
	}
	struct html_table *table = html_table_create(caption, columns, 2);

	if (value)
		json_walk(value, add_pair, table);
	html_table_print(table, out);
}
