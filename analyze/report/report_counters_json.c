/* SPDX-License-Identifier: MIT */
/* The section counters as JSON: an event or a metric is an object, with lists of what it is by
 * routine, line, thread, level and wait. As CSV: a row for each figure at each place. */
#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/report/counter_figures.h"
#include "analyze/report/report_spread.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

/* ---- a figure at a place */

struct counter_row {
	const struct counter_figure *figure;
	const struct counter_place *place;
	const char *by; /* of CSV */
};

static bool is_whole(const struct counter_row *row)
{
	return row->place == &row->figure->counters->whole;
}

static bool is_routine(const struct counter_row *row)
{
	return row->place->kind == COUNTER_ROUTINE;
}

static const struct routine *routine_of(const struct report *report, const struct counter_row *row)
{
	return names_routine(report->run->names, row->place->a);
}

static bool has_line(const struct counter_row *row)
{
	return row->place->b && row->place->b != COUNTER_WHOLE;
}

static const struct process *process_of(const struct report *report, const struct counter_row *row)
{
	return &report->run->processes[row->place->a];
}

static const struct thread_time *time_of(const struct report *report, const struct counter_row *row)
{
	return report_counter_thread(report, row->place);
}

static const char *name_of(const struct report *report, const struct counter_row *row)
{
	const struct thread_time *time = time_of(report, row);

	return time ? time->shown_name : process_of(report, row)->file->process.command;
}

static char *where_text(const struct report *report, const struct counter_row *row)
{
	const struct counter_place *place = row->place;

	if (is_whole(row))
		return NULL;
	switch (place->kind) {
	case COUNTER_ROUTINE:
		return memory_copy_text(names_routine(report->run->names, place->a)->name);
	case COUNTER_CAUSE:
		return memory_copy_text(report_counter_cause(place));
	case COUNTER_LEVEL:
		return place->a ? memory_print("%zu", place->a) : memory_copy_text("unknown");
	default:
		return report_counter_unit(report, place);
	}
}

#define ROW      const struct counter_row
#define ROW_NAME counter_routines
#include "analyze/report/define_fields.h"

#define ROW      const struct counter_row
#define ROW_NAME counter_threads
#include "analyze/report/define_fields.h"

#define ROW       const struct counter_row
#define ROW_NAME  counter_levels
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW      const struct counter_row
#define ROW_NAME counter_causes
#include "analyze/report/define_fields.h"

#define ROW      const struct counter_row
#define ROW_NAME counters
#include "analyze/report/define_fields.h"

/* ---- by what it is told */

#define PLACES(name, member)                                                                       \
	static const struct counter_places *places_by_##name(const struct report *report)          \
	{                                                                                          \
		return &report->run->counters.member;                                              \
	}
PLACES(routine, of[COUNTER_ROUTINE])
PLACES(line, lines)
PLACES(cause, of[COUNTER_CAUSE])
PLACES(level, of[COUNTER_LEVEL])
#undef PLACES

enum { BY_THREADS, BY_ROUTINES, BY_LINES, BY_LEVELS, BY_CAUSES, BREAKDOWNS };

static const struct breakdown {
	const char *by;
	const struct counter_places *(*places)(const struct report *report);
	const struct row_fields *fields;
} breakdowns[BREAKDOWNS] = {
	[BY_THREADS] = {"thread", report_counter_threads, &counter_threads_fields},
	[BY_ROUTINES] = {"routine", places_by_routine, &counter_routines_fields},
	[BY_LINES] = {"line", places_by_line, &counter_routines_fields},
	[BY_LEVELS] = {"level", places_by_level, &counter_levels_fields},
	[BY_CAUSES] = {"wait", places_by_cause, &counter_causes_fields},
};

/* Is anything of it there? A routine may have counts of other events only. */
static bool has_value(const struct counter_figure *figure, const struct counter_place *place)
{
	enum counter_part last = place->kind == COUNTER_ROUTINE ? COUNTER_TOTAL : COUNTER_SELF;
	double self = counter_figure_value(figure, place, COUNTER_SELF);

	return figure->metric ? isfinite(self)
			      : counter_place_sum(place, figure->event, last)->count > 0;
}

/* fields: NULL for those of the breakdown. */
static void add_places(const struct report *report, struct json_object *list,
		       const struct counter_figure *figure, const struct breakdown *breakdown,
		       const struct row_fields *fields)
{
	const struct counter_places *places = breakdown->places(report);

	for (size_t i = 0; i < report_rows(report, places->count); i++) {
		const struct counter_row row = {figure, places->rows[i], breakdown->by};

		if (has_value(figure, places->rows[i]))
			json_object_array_add(
				list, row_json(report, fields ? fields : breakdown->fields, &row));
	}
}

/* ---- an event or a metric */

static struct json_object *places_json(const struct report *report,
				       const struct counter_figure *figure,
				       const struct breakdown *breakdown)
{
	struct json_object *list = json_object_new_array();

	add_places(report, list, figure, breakdown, NULL);
	return list;
}

static const struct counter *event_of(const struct counter_figure *figure)
{
	return &figure->counters->rows[figure->event];
}

static const char *scope_of(const struct counter *event)
{
	if (event->flags & EVENT_WITHOUT_USER)
		return "kernel";
	return event->flags & (EVENT_WITHOUT_KERNEL | EVENT_KERNEL_REFUSED) ? "program" : "all";
}

static const struct spread *spread_of(const struct report *report,
				      const struct counter_figure *figure)
{
	return report_spread_known(
		&event_of(figure)->by[report->is_by_process ? BY_PROCESS : BY_THREAD]);
}

#define COUNTER_EVENT 1
#define ROW           const struct counter_figure
#define ROW_NAME      counter_events
#define ROW_LIST      "analyze/report/fields/counter_figures.def"
#include "analyze/report/define_fields.h"

#undef COUNTER_EVENT
#define COUNTER_EVENT 0
#define ROW           const struct counter_figure
#define ROW_NAME      counter_metrics
#define ROW_LIST      "analyze/report/fields/counter_figures.def"
#define ROW_SCOPE     static
#include "analyze/report/define_fields.h"

#undef COUNTER_EVENT

struct json_object *report_counters_json(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < counter_figure_count(counters); i++) {
		struct counter_figure figure = counter_figure_at(counters, i);
		const struct row_fields *fields =
			figure.event ? &counter_events_fields : &counter_metrics_fields;

		json_object_array_add(list, row_json(report, fields, &figure));
	}
	return list;
}

/* ---- CSV */

struct json_object *report_counters_rows(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < counter_figure_count(counters); i++) {
		struct counter_figure figure = counter_figure_at(counters, i);
		const struct counter_row row = {&figure, &counters->whole, "run"};

		json_object_array_add(list, row_json(report, &counters_fields, &row));
	}
	for (size_t by = 0; by < BREAKDOWNS; by++)
		for (size_t i = 0; i < counter_figure_count(counters); i++) {
			struct counter_figure figure = counter_figure_at(counters, i);

			add_places(report, list, &figure, &breakdowns[by], &counters_fields);
		}
	return list;
}
