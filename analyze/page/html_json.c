/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* qsort_r */
#include "analyze/page/html_json.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/grade.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json_object *html_json_at(struct json_object *object, const char *path)
{
	char key[64];

	while (object && *path) {
		size_t length = strcspn(path, ".");

		if (length >= sizeof key || !json_object_is_type(object, json_type_object))
			return NULL;
		memcpy(key, path, length);
		key[length] = 0;
		object = json_object_object_get(object, key);
		path += length + (path[length] == '.');
	}
	return object;
}

size_t html_json_count(struct json_object *list)
{
	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

struct json_object *html_json_element(struct json_object *list, size_t index)
{
	return index < html_json_count(list) ? json_object_array_get_idx(list, index) : NULL;
}

double html_json_figure(struct json_object *object, const char *path, double unknown)
{
	struct json_object *value = html_json_at(object, path);

	return value ? json_object_get_double(value) : unknown;
}

static int compare_figures(const void *left, const void *right, void *path)
{
	double a = html_json_figure(*(struct json_object *const *)left, path, -1);
	double b = html_json_figure(*(struct json_object *const *)right, path, -1);

	return (a < b) - (a > b);
}

struct json_object *html_json_sorted(struct json_object *list, const char *path)
{
	size_t count = html_json_count(list);
	struct json_object **rows = memory_allocate(count, sizeof *rows),
			   *sorted = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		rows[i] = html_json_element(list, i);
	qsort_r(rows, count, sizeof *rows, compare_figures, (void *)path);
	for (size_t i = 0; i < count; i++)
		json_object_array_add(sorted, json_object_get(rows[i]));
	free(rows);
	return sorted;
}

/* ---- a value as text */

static char *figure_text(double figure, enum html_format format)
{
	switch (format) {
	case HTML_SECONDS:
		return text_seconds(1e9 * figure);
	case HTML_PERCENT:
		return text_percent(figure);
	case HTML_FRACTION:
		return text_percent(100 * figure);
	default:
		return text_number(figure);
	}
}

static char *code_text(const char *line)
{
	char *plain = text_without_tabs(line), *text = text_fit(plain, HTML_CODE_COLUMNS, true);

	free(plain);
	return text;
}

char *html_json_text(struct json_object *value, enum html_format format)
{
	switch (format) {
	case HTML_TEXT:
		return text_without_tabs(value ? json_object_get_string(value) : "");
	case HTML_CODE:
		return code_text(value ? json_object_get_string(value) : "");
	case HTML_PLACE:
		return memory_copy_text(value ? json_object_get_string(value) : "");
	case HTML_COUNT:
	case HTML_LINE:
		return memory_copy_text(value ? json_object_get_string(value) : "?");
	case HTML_SIZE:
		return value ? text_size(json_object_get_uint64(value)) : memory_copy_text("?");
	case HTML_AMOUNT:
		return memory_copy_text(quantity_amount(value ? json_object_get_double(value) : NAN,
							json_object_is_type(value, json_type_int))
						.text);
	default:
		return figure_text(value ? json_object_get_double(value) : NAN, format);
	}
}

/* "12"; "10-12" of lines that are one entry; "": unknown. Released by the caller. */
static char *lines_text(struct json_object *object, const char *path)
{
	const char *line = json_object_get_string(html_json_at(object, path));
	const char *first = json_object_get_string(html_json_at(object, "first_line"));
	const char *last = json_object_get_string(html_json_at(object, "last_line"));

	if (!first || !last || !strcmp(first, last))
		return memory_copy_text(line ? line : "");
	return memory_print("%s-%s", first, last);
}

char *html_json_place(struct json_object *object)
{
	struct json_object *routine;
	const char *file = json_object_get_string(html_json_at(object, "file"));

	if (!json_object_object_get_ex(object, "routine", &routine))
		routine = html_json_at(object, "name");
	if (!routine)
		return memory_copy_text("");
	if (!file)
		return memory_copy_text(json_object_get_string(routine));
	char *lines = lines_text(object, "line");
	char *place = memory_print("%s (%s%s%s)", json_object_get_string(routine),
				   runtime_base_name(file), *lines ? ":" : "", lines);

	free(lines);
	return place;
}

/* ---- a table of known columns */

static bool is_figure(enum html_format format)
{
	return format > HTML_PLACE;
}

static double largest_of(struct json_object *list, const struct html_field *field)
{
	double largest = 0;

	if (field->most > 0)
		return field->most;
	for (size_t i = 0; i < html_json_count(list); i++)
		largest = fmax(largest,
			       html_json_figure(html_json_element(list, i), field->path, NAN));
	return largest;
}

enum grade html_json_grade(struct json_object *row, const char *path)
{
	const char *word = path ? json_object_get_string(html_json_at(row, path)) : NULL;

	if (word && !strcmp(word, "sampled"))
		return GRADE_SAMPLED;
	return word && !strcmp(word, "estimated") ? GRADE_ESTIMATED : GRADE_EXACT;
}

/* "12", "12?" */
static char *line_text(struct json_object *row, const struct html_field *field)
{
	bool is_fitting = json_object_get_boolean(html_json_at(row, "is_fitting"));
	char *lines = lines_text(row, field->path);
	char *text = memory_print("%s%s", lines, *lines && is_fitting ? "" : "?");

	free(lines);
	return text;
}

static char *cell_text(struct json_object *row, const struct html_field *field)
{
	if (field->format == HTML_PLACE)
		return html_json_place(row);
	if (field->format == HTML_LINE)
		return line_text(row, field);
	if (field->is_quiet && !(html_json_figure(row, field->path, NAN) > 0))
		return memory_copy_text("");
	return text_graded(html_json_text(html_json_at(row, field->path), field->format),
			   html_json_grade(row, field->grade), true);
}

static char *copy_of(struct json_object *row, const char *key)
{
	const char *text = json_object_get_string(html_json_at(row, key));

	return text ? memory_copy_text(text) : NULL;
}

void html_json_continue_place(struct html_table *table, struct json_object *object)
{
	html_table_continue_detail(table, html_json_place(object), copy_of(object, "anchor"));
}

static void add_cell(struct html_table *table, struct json_object *row,
		     const struct html_field *field, double largest)
{
	struct json_object *value = html_json_at(row, field->path);
	struct json_object *hint = field->hint ? html_json_at(row, field->hint) : NULL;

	html_table_add(table, cell_text(row, field));
	if (field->format == HTML_CODE)
		html_table_set_class(table, "code");
	if (field->format == HTML_PLACE)
		html_table_set_anchor(table, copy_of(row, "anchor"));
	if (field->format == HTML_LINE)
		html_table_set_id(table, copy_of(row, "id"));
	if (hint)
		html_table_set_title(table, memory_copy_text(json_object_get_string(hint)));
	if (!value || !is_figure(field->format))
		return;
	html_table_set_value(table, memory_copy_text(json_object_get_string(value)));
	if (field->has_bar && largest > 0 &&
	    !(field->is_quiet && !(json_object_get_double(value) > 0)))
		html_table_set_share(table, json_object_get_double(value) / largest);
}

static struct html_table *start_table(const char *caption, const struct html_field *fields,
				      size_t count)
{
	struct html_column *columns = memory_allocate(count, sizeof *columns);

	for (size_t i = 0; i < count; i++)
		columns[i] = (struct html_column){
			fields[i].title, is_figure(fields[i].format) ? HTML_RIGHT : HTML_LEFT};
	struct html_table *table = html_table_create(caption, columns, count);

	free(columns);
	return table;
}

void html_json_table(FILE *out, const char *caption, const struct html_field *fields, size_t count,
		     struct json_object *list, size_t top, html_detail *detail)
{
	size_t all = html_json_count(list), rows = top && top < all ? top : all;
	struct html_table *table = start_table(caption, fields, count);
	double *largest = memory_allocate(count, sizeof *largest);

	for (size_t f = 0; f < count; f++)
		largest[f] = fields[f].has_bar && all ? largest_of(list, &fields[f]) : 0;
	for (size_t i = 0; i < rows; i++) {
		struct json_object *row = html_json_element(list, i);

		for (size_t f = 0; f < count; f++)
			add_cell(table, row, &fields[f], largest[f]);
		if (detail)
			detail(table, row);
	}
	html_table_print(table, out);
	html_more(out, all - rows);
	free(largest);
}
