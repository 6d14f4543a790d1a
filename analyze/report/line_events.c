/* SPDX-License-Identifier: MIT */
#include "analyze/report/line_events.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/counter_figures.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_COLUMNS = 16, COUNT_COLUMNS = 7, SHARE_COLUMNS = 7, GAP_COLUMNS = 2 };

/* ---- which events */

static bool is_counted(const struct counters *counters, size_t event)
{
	return event && counters->rows[event].grade != GRADE_UNKNOWN;
}

static bool is_counted_in_any(const struct line_events *events, const char *name)
{
	for (size_t run = 0; run < events->run_count; run++) {
		const struct counters *counters = events->runs[run];

		if (is_counted(counters, counters_event_named(counters, name)))
			return true;
	}
	return false;
}

static unsigned width_of(const struct line_events *events, const char *name)
{
	unsigned title = text_columns(name), number = 0;

	title = title > TITLE_COLUMNS ? TITLE_COLUMNS : title;
	if (events->run_count > 1)
		number = 2; /* " 1" */
	title = title + number < COUNT_COLUMNS ? COUNT_COLUMNS : title + number;
	return (unsigned)events->run_count * (title + GAP_COLUMNS) + (number ? 0 : SHARE_COLUMNS);
}

static void offer(struct line_events *events, const char *name, unsigned room)
{
	unsigned width = width_of(events, name);

	if (events->count == LINE_EVENTS_MOST || (events->count && events->width + width > room)) {
		events->rest.beyond++;
		return;
	}
	events->width += width;
	events->names[events->count++] = name;
}

/* The events of a run that no run before it has: each is offered once. */
static void offer_all(struct line_events *events, size_t run, bool are_counted, unsigned room)
{
	const struct counters *counters = events->runs[run];

	for (size_t event = COUNTER_CPU + 1; event < counters->limit; event++) {
		const char *name = counters->rows[event].name;
		bool is_new = true;

		for (size_t before = 0; before < run; before++)
			is_new &= !counters_event_named(events->runs[before], name);
		if (is_new && is_counted_in_any(events, name) == are_counted)
			offer(events, name, room);
	}
}

/* Of those without a column, a wider text would have as many as there may be. */
static void divide_rest(struct line_events *events)
{
	size_t free_columns = LINE_EVENTS_MOST - events->count, all = events->rest.beyond;

	events->rest.narrow = all < free_columns ? all : free_columns;
	events->rest.beyond = all - events->rest.narrow;
}

static char *title_of(const struct line_events *events, const char *name, size_t run, bool is_utf8)
{
	char *fitted = text_fit(name, TITLE_COLUMNS, is_utf8), *title;

	if (events->run_count < 2)
		return fitted;
	title = memory_print("%s %zu", fitted, run + 1);
	free(fitted);
	return title;
}

struct line_events line_events_of(const struct run *const *runs, size_t count, unsigned room,
				  bool is_utf8)
{
	struct line_events events = {.run_count = count};

	for (size_t run = 0; run < count; run++)
		events.runs[run] = &runs[run]->counters;
	for (int are_counted = 1; are_counted >= 0; are_counted--)
		for (size_t run = 0; run < count; run++)
			offer_all(&events, run, are_counted, room);
	divide_rest(&events);
	for (size_t i = 0; i < events.count; i++)
		for (size_t run = 0; run < count; run++)
			events.titles[events.column_count++] =
				title_of(&events, events.names[i], run, is_utf8);
	return events;
}

void line_events_clear(struct line_events *events)
{
	for (size_t i = 0; i < events->column_count; i++)
		free(events->titles[i]);
	*events = (struct line_events){0};
}

/* ---- as text */

size_t line_events_columns(const struct line_events *events, struct text_column *columns)
{
	size_t count = 0;

	for (size_t i = 0; i < events->column_count; i++) {
		columns[count++] = (struct text_column){events->titles[i], TEXT_RIGHT};
		if (events->run_count == 1)
			columns[count++] = (struct text_column){"share", TEXT_RIGHT};
	}
	return count;
}

static const struct counter_place *place_of(const struct source_line *line)
{
	static const struct counter_place nothing = {.kind = COUNTER_ROUTINE};

	return line && line->counted ? line->counted : &nothing;
}

/* "": there was none of it; "n/a": it was not counted. */
static char *count_text(const struct counters *counters, size_t event,
			const struct source_line *line)
{
	const struct counter_figure figure = {.counters = counters, .event = event};
	double value = event ? counter_figure_value(&figure, place_of(line), COUNTER_SELF) : NAN;

	return value <= 0 ? memory_copy_text("") : counter_figure_text(&figure, value);
}

static double percent_of(const struct counters *counters, size_t event,
			 const struct source_line *line)
{
	double whole = counters->rows[event].scaled;

	return whole > 0
		       ? 100 * counters_value(counters, place_of(line), event, COUNTER_SELF) / whole
		       : NAN;
}

static char *share_text(const struct counters *counters, size_t event,
			const struct source_line *line)
{
	double percent = percent_of(counters, event, line);

	return percent > 0 ? text_percent(percent) : memory_copy_text("");
}

static void add_cells(const struct line_events *events, struct text_table *table, size_t run,
		      const char *name, const struct source_line *line, bool is_misfit)
{
	const struct counters *counters = events->runs[run];
	size_t event = counters_event_named(counters, name);
	char *count = line ? count_text(counters, event, line) : memory_copy_text("");

	text_table_add(table, memory_print("%s%s", count, *count && is_misfit ? "?" : ""));
	if (events->run_count == 1)
		text_table_add(table,
			       line ? share_text(counters, event, line) : memory_copy_text(""));
	free(count);
}

void line_events_add(const struct line_events *events, struct text_table *table,
		     const struct source_line *const *lines, const bool *misfits)
{
	for (size_t i = 0; i < events->count; i++)
		for (size_t run = 0; run < events->run_count; run++)
			add_cells(events, table, run, events->names[i], lines[run],
				  misfits && misfits[run]);
}

void line_events_print_rest(const struct report *report, struct line_events_rest rest)
{
	size_t all = rest.narrow + rest.beyond;

	if (!all)
		return;
	char *some = rest.narrow && rest.beyond
			     ? memory_print("--width for %zu of them, or ", rest.narrow)
			     : memory_copy_text(rest.narrow ? "--width, or " : "");
	char *text = memory_print("(%s: %s--format csv)",
				  quantity_things((double)all, "more event").text, some);

	report_print_wrapped(report, "  ", text);
	free(text);
	free(some);
}

/* ---- as JSON */

/* The name comes from a file: it becomes what json_text makes of any text. */
static void add_named(struct json_object *events, const char *name, struct json_object *of)
{
	struct json_object *text = json_text(name);

	json_object_object_add(events, json_object_get_string(text), of);
	json_object_put(text);
}

struct line_event {
	const struct counter_figure *figure;
	const struct counter_place *place;
	double percent; /* of the run's */
};

#define ROW       const struct line_event
#define ROW_NAME  line_event
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

void line_events_add_json(const struct report *report, struct json_object *object,
			  const struct counters *counters, const struct source_line *line)
{
	struct json_object *events;

	if (!counters_are_there(counters))
		return;
	events = json_object_new_object();
	for (size_t event = COUNTER_CPU + 1; event < counters->limit; event++) {
		const struct counter_figure figure = {.counters = counters, .event = event};
		const struct line_event row = {&figure, place_of(line),
					       percent_of(counters, event, line)};

		add_named(events, counters->rows[event].name,
			  row_json(report, &line_event_fields, &row));
	}
	json_add(object, "events", events);
}
