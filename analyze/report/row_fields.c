/* SPDX-License-Identifier: MIT */
#include "analyze/report/row_fields.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/model/run/carried.h"
#include "analyze/print/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- JSON and CSV */

static struct json_object *carried_json(const struct carried_sum *sum, const void *row)
{
	if (!carried_is_time(sum))
		return json_count(carried_number(sum, row));
	return sum->is_real ? json_seconds_of(carried_real(sum, row))
			    : json_seconds(carried_number(sum, row));
}

/* Leaves alone what the object has already. */
static void add_carried(struct json_object *object, const struct carried *carried, const void *row)
{
	for (size_t i = 0; i < carried->count; i++)
		if (!json_object_object_get_ex(object, carried->rows[i].shown, NULL))
			json_add(object, carried->rows[i].shown,
				 carried_json(&carried->rows[i], row));
}

static void add_field(const struct report *report, struct json_object *object,
		      const struct row_field *field, const void *row)
{
	const void *carrier = field->carried ? field->get(report, row).row : NULL;

	if (carrier)
		add_carried(object, field->carried, carrier);
	else if (field->key)
		json_add(object, field->key, value_json(field->get(report, row)));
}

static struct json_object *make_json(const struct report *report, const struct row_fields *fields,
				     const void *row, bool is_of_page)
{
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < fields->count; i++)
		if (is_of_page || !fields->rows[i].is_of_page)
			add_field(report, object, &fields->rows[i], row);
	return object;
}

struct json_object *row_json(const struct report *report, const struct row_fields *fields,
			     const void *row)
{
	return make_json(report, fields, row, false);
}

struct json_object *row_page_json(const struct report *report, const struct row_fields *fields,
				  const void *row)
{
	return make_json(report, fields, row, true);
}

struct json_object *rows_json(const struct report *report, const struct row_fields *fields,
			      const void *rows, size_t count, size_t row_bytes)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list,
				      row_json(report, fields, (const char *)rows + i * row_bytes));
	return list;
}

static bool has_key(const struct row_fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->rows[i].key && !strcmp(fields->rows[i].key, key))
			return true;
	return false;
}

static void print_names(FILE *out, const struct row_fields *fields, const struct row_field *field)
{
	const char *part;

	for (size_t i = 0; field->carried && i < field->carried->count; i++)
		if (!has_key(fields, field->carried->rows[i].shown))
			fprintf(out, "%s,", field->carried->rows[i].shown);
	for (size_t i = 0; field->parts && (part = field->parts(i)); i++)
		fprintf(out, "%s.%s,", field->key, part);
	if (field->key && !field->parts && !field->is_of_page)
		fprintf(out, "%s,", field->key);
}

char *row_fields_head(const struct row_fields *fields)
{
	char *head = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&head, &bytes);

	if (!out)
		die("out of memory");
	for (size_t i = 0; i < fields->count; i++)
		print_names(out, fields, &fields->rows[i]);
	fclose(out);
	if (bytes)
		head[bytes - 1] = '\0'; /* the last comma */
	return head;
}

/* ---- columns, in the order of their numbers */

typedef unsigned place_of(const struct row_field *field);

static unsigned in_text(const struct row_field *field)
{
	return field->text.at;
}

static unsigned on_page(const struct row_field *field)
{
	return field->html.at;
}

struct columns {
	const struct row_field **rows;
	size_t count;
};

/* rows are released by the caller. */
static struct columns columns_of(const struct row_fields *fields, place_of *place)
{
	struct columns columns = {memory_allocate(fields->count, sizeof *columns.rows), 0};

	for (size_t i = 0; i < fields->count; i++) {
		const struct row_field *field = &fields->rows[i];
		size_t at = columns.count;

		if (!place(field))
			continue;
		for (; at && place(columns.rows[at - 1]) > place(field); at--)
			columns.rows[at] = columns.rows[at - 1];
		columns.rows[at] = field;
		columns.count++;
	}
	return columns;
}

/* ---- text */

struct row_table {
	const struct report *report;
	struct columns columns;
	struct text_column *titles;
	struct text_table *table;
};

static struct text_column title_of(const struct report *report, const struct row_field *field)
{
	bool is_other = report->is_by_process && field->text.by_process;

	return (struct text_column){is_other ? field->text.by_process : field->text.title,
				    field->text.align};
}

struct row_table *row_table_create(const struct report *report, const struct row_fields *fields)
{
	struct row_table *table = memory_allocate(1, sizeof *table);
	struct columns columns = columns_of(fields, in_text);

	table->report = report;
	table->columns = columns;
	table->titles = memory_allocate(columns.count, sizeof *table->titles);
	for (size_t i = 0; i < columns.count; i++)
		table->titles[i] = title_of(report, columns.rows[i]);
	table->table = text_table_create(table->titles, columns.count);
	return table;
}

static char *cell_text(const struct report *report, const struct row_field *field,
		       struct value value)
{
	if (field->text.is_quiet && !(value_figure(value) > 0))
		return memory_copy_text("");
	if (field->text.unknown && isnan(value_figure(value)))
		return memory_copy_text(field->text.unknown);
	return value_text(value, report->is_utf8);
}

static bool is_figure(struct value value)
{
	return value.kind == VALUE_UNKNOWN || !isnan(value_figure(value));
}

static bool is_time(struct value value)
{
	return value.kind == VALUE_SECONDS || value.kind == VALUE_REAL_SECONDS;
}

static void add_cell(struct row_table *table, const struct row_field *field, const void *row)
{
	struct value value = field->get(table->report, row);
	double amount = value_figure(value);
	bool is_weighed = is_figure(value), has_time = is_time(value);

	text_table_add(table->table, cell_text(table->report, field, value));
	text_table_hold_back(table->table, field->text.from_width);
	if (is_weighed)
		text_table_weigh(table->table, amount, has_time);
}

void row_table_add(struct row_table *table, const void *row)
{
	for (size_t i = 0; i < table->columns.count; i++)
		add_cell(table, table->columns.rows[i], row);
}

void row_table_add_detail(struct row_table *table, char *line)
{
	text_table_add_detail(table->table, line);
}

bool row_fields_have(const struct row_fields *fields, const char *title)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->rows[i].text.at && !strcasecmp(fields->rows[i].text.title, title))
			return true;
	return false;
}

/* Returns how many rows are cut. */
static size_t sort(struct row_table *table)
{
	const struct report *report = table->report;

	for (size_t i = 0; report->sort && i < table->columns.count; i++)
		if (!strcasecmp(table->titles[i].title, report->sort)) {
			text_table_sort(table->table, i);
			return report->sorted_top ? text_table_cut(table->table, report->sorted_top)
						  : 0;
		}
	return 0;
}

void row_table_print(struct row_table *table)
{
	const struct report *report = table->report;
	size_t cut = sort(table);

	text_table_print(table->table, report->out, report->width, report->is_utf8);
	report_print_more(report, cut);
	free(table->columns.rows);
	free(table->titles);
	free(table);
}

void rows_text(const struct report *report, const struct row_fields *fields, const void *rows,
	       size_t count, size_t row_bytes)
{
	struct row_table *table = row_table_create(report, fields);

	for (size_t i = 0; i < report_rows(report, count); i++)
		row_table_add(table, (const char *)rows + i * row_bytes);
	row_table_print(table);
	report_print_rest(report, count);
}

/* ---- pages */

struct html_field *row_fields_page(const struct report *report, const struct row_fields *fields,
				   size_t *count)
{
	struct columns columns = columns_of(fields, on_page);
	struct html_field *shown = memory_allocate(columns.count, sizeof *shown);

	for (size_t i = 0; i < columns.count; i++) {
		const struct row_field *field = columns.rows[i];

		shown[i] = field->html.field;
		shown[i].path = field->path ? field->path : field->key;
		if (report->is_by_process && field->html.by_process)
			shown[i].title = field->html.by_process;
	}
	*count = columns.count;
	free(columns.rows);
	return shown;
}

void row_fields_html(const struct report *report, const char *caption,
		     const struct row_fields *fields, struct json_object *list, html_detail *detail)
{
	size_t count;
	struct html_field *shown = row_fields_page(report, fields, &count);

	html_json_table(report->out, caption, shown, count, list, report->top, detail);
	free(shown);
}
