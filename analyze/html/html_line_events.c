/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_line_events.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_field(struct html_fields *fields, struct html_field field)
{
	fields->list =
		memory_grow(fields->list, fields->count, &fields->capacity, sizeof *fields->list);
	fields->list[fields->count++] = field;
}

char *html_fields_keep(struct html_fields *fields, char *text)
{
	fields->texts = memory_grow(fields->texts, fields->text_count, &fields->text_capacity,
				    sizeof *fields->texts);
	fields->texts[fields->text_count++] = text;
	return text;
}

void html_fields_add(struct html_fields *fields, const struct html_field *more, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_field(fields, more[i]);
}

void html_fields_clear(struct html_fields *fields)
{
	for (size_t i = 0; i < fields->text_count; i++)
		free(fields->texts[i]);
	free(fields->texts);
	free(fields->list);
	*fields = (struct html_fields){0};
}

/* ---- events */

/* An event of the runs in a table. */
struct column {
	struct html_fields *fields;
	struct json_object *rows;
	const struct run *const *runs;
	size_t run_count, number; /* of the column */
	const char *name;
	struct json_object *key; /* the name as the rows have it */
	struct json_object *problems;
};

/* Where the figures of a run are; "": they are the row's own. Released by the caller. */
static char *prefix_of(const struct column *column, size_t run)
{
	return column->run_count > 1 ? memory_print("runs.%zu.", run + 1) : memory_copy_text("");
}

static struct json_object *figures_of(const struct column *column, struct json_object *row,
				      size_t run)
{
	char key[32];

	if (column->run_count < 2)
		return row;
	snprintf(key, sizeof key, "runs.%zu", run + 1);
	return html_json_at(row, key);
}

static bool is_known(const struct column *column, size_t run)
{
	const struct counters *counters = &column->runs[run]->counters;
	size_t event = counters_event_named(counters, column->name);

	return event && counters->rows[event].grade != GRADE_UNKNOWN;
}

/* "n/a" at a line that has figures, where the run did not count the event. */
static struct json_object *no_count(struct json_object *figures)
{
	static const char *const times[] = {"spent_seconds", "blame_seconds", "total_seconds"};

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (html_json_figure(figures, times[i], 0) > 0)
			return json_text("n/a");
	return json_text("");
}

/* key: of the event's figure at `from`. Returns the figure. */
static double mark(const struct column *column, struct json_object *figures, const char *from,
		   const char *key)
{
	struct json_object *event = json_object_object_get(html_json_at(figures, "events"),
							   json_object_get_string(column->key));

	if (figures)
		json_object_object_add(figures, key, json_object_get(html_json_at(event, from)));
	return html_json_figure(figures, key, 0);
}

/* Gives the figures of every row their keys; returns the largest. */
static double mark_rows(const struct column *column, size_t run)
{
	char *key = memory_print("event_%zu", column->number);
	char *share = memory_print("%s_percent", key);
	double largest = 0;

	for (size_t i = 0; i < html_json_count(column->rows); i++) {
		struct json_object *row = html_json_element(column->rows, i);
		struct json_object *figures = figures_of(column, row, run);

		largest = fmax(largest, mark(column, figures, "value", key));
		mark(column, figures, "percent", share);
		if (figures && !is_known(column, run))
			json_object_object_add(figures, key, no_count(figures));
	}
	free(share);
	free(key);
	return largest;
}

/* "page-faults", "page-faults 1", "page-faults 1?" */
static char *title_of(const struct column *column, size_t run)
{
	if (column->run_count == 1)
		return memory_copy_text(column->name);
	return memory_print("%s %zu%s", column->name, run + 1,
			    html_json_element(column->problems, run) ? "?" : "");
}

static struct html_field field_of(const struct column *column, size_t run)
{
	const struct counters *counters = &column->runs[run]->counters;
	size_t event = counters_event_named(counters, column->name);
	bool is_time = event && !strcmp(counters->rows[event].unit, "ns");
	char *prefix = prefix_of(column, run);
	char *path = memory_print("%sevent_%zu", prefix, column->number);

	free(prefix);
	return (struct html_field){
		.path = html_fields_keep(column->fields, path),
		.title = html_fields_keep(column->fields, title_of(column, run)),
		.format = !is_known(column, run) ? HTML_TEXT
			  : is_time              ? HTML_SECONDS
						 : HTML_AMOUNT,
		.has_bar = true,
		.is_quiet = is_known(column, run),
	};
}

static void add_event(const struct column *column)
{
	size_t first = column->fields->count;
	double largest = 0;

	for (size_t run = 0; run < column->run_count; run++) {
		largest = fmax(largest, mark_rows(column, run));
		add_field(column->fields, field_of(column, run));
	}
	for (size_t i = first; i < column->fields->count; i++)
		column->fields->list[i].most = largest;
	if (column->run_count == 1)
		add_field(column->fields,
			  (struct html_field){
				  .path = html_fields_keep(
					  column->fields,
					  memory_print("event_%zu_percent", column->number)),
				  .title = "share",
				  .format = HTML_PERCENT,
				  .is_quiet = true,
			  });
}

static bool is_in_earlier(const struct run *const *runs, size_t run, const char *name)
{
	for (size_t before = 0; before < run; before++)
		if (counters_event_named(&runs[before]->counters, name))
			return true;
	return false;
}

void html_fields_add_events(struct html_fields *fields, struct json_object *rows,
			    const struct run *const *runs, size_t count,
			    struct json_object *problems)
{
	struct column column = {.fields = fields,
				.rows = rows,
				.runs = runs,
				.run_count = count,
				.problems = problems};

	for (size_t run = 0; run < count; run++) {
		const struct counters *counters = &runs[run]->counters;

		for (size_t event = COUNTER_CPU + 1; event < counters->limit; event++) {
			column.name = counters->rows[event].name;
			if (is_in_earlier(runs, run, column.name))
				continue;
			column.number++;
			column.key = json_text(column.name);
			add_event(&column);
			json_object_put(column.key);
		}
	}
}
