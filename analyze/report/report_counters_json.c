/* SPDX-License-Identifier: MIT */
/* The section counters as JSON: an event or a metric is an object, with lists of what it is by
 * routine, line, thread, level and wait. As CSV: a row for each figure at each place. */
#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/report/counter_figures.h"
#include "analyze/report/report_counter_places.h"
#include "analyze/report/sections.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>

/* ---- what stands where */

static void add_routine(const struct report *report, struct json_object *object,
			const struct counter_place *place)
{
	const struct routine *routine = names_routine(report->run->names, place->a);
	bool has_line = place->b && place->b != COUNTER_WHOLE;

	json_add(object, "routine", json_text(routine->name));
	json_add(object, "module", json_text(*routine->module ? routine->module : NULL));
	json_add(object, "file", json_text(routine->file));
	json_add(object, "line", has_line ? json_count(place->b) : NULL);
}

static void add_thread(const struct report *report, struct json_object *object,
		       const struct counter_place *place)
{
	const struct process *process = &report->run->processes[place->a];
	const struct thread_time *time = report_counter_thread(report, place);

	json_add(object, "rank", json_rank(process->rank));
	json_add(object, "pid", json_count(process->file->header.pid));
	json_add(object, "sequence", json_count(process->file->header.sequence));
	json_add(object, "tid", time ? json_count(time->thread->tid) : NULL);
	json_add(object, "name",
		 json_text(time ? time->shown_name : process->file->process.command));
}

static void add_cause(const struct report *report, struct json_object *object,
		      const struct counter_place *place)
{
	(void)report;
	json_add(object, "cause", json_text(report_counter_cause(place)));
}

static void add_level(const struct report *report, struct json_object *object,
		      const struct counter_place *place)
{
	(void)report;
	json_add(object, "active", place->a ? json_count(place->a) : NULL);
}

/* What a figure is by: where its places are, and what they are. */
struct breakdown {
	const char *key;
	const struct counter_places *(*places)(const struct report *report);
	void (*add)(const struct report *report, struct json_object *object,
		    const struct counter_place *place);
	bool is_sampled;
};

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

static const struct breakdown breakdowns[] = {
	{"by_thread", report_counter_threads, add_thread, false},
	{"by_routine", places_by_routine, add_routine, true},
	{"by_line", places_by_line, add_routine, true},
	{"by_level", places_by_level, add_level, true},
	{"by_wait", places_by_cause, add_cause, true},
};

#define BREAKDOWNS (sizeof breakdowns / sizeof *breakdowns)

/* Is anything of it there? A routine may have counts of other events only. */
static bool has_value(const struct counter_figure *figure, const struct counter_place *place)
{
	enum counter_part last = place->kind == COUNTER_ROUTINE ? COUNTER_TOTAL : COUNTER_SELF;
	double self = counter_figure_value(figure, place, COUNTER_SELF);

	return figure->metric ? isfinite(self)
			      : counter_place_sum(place, figure->event, last)->count > 0;
}

static struct json_object *breakdown_json(const struct report *report,
					  const struct breakdown *breakdown,
					  const struct counter_figure *figure)
{
	const struct counter_places *places = breakdown->places(report);
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, places->count); i++) {
		if (!has_value(figure, places->rows[i]))
			continue;
		struct json_object *object = json_object_new_object();

		breakdown->add(report, object, places->rows[i]);
		counter_figure_add_parts(object, figure, places->rows[i]);
		if (breakdown->is_sampled)
			counter_figure_add_samples(object, figure, places->rows[i]);
		json_object_array_add(list, object);
	}
	return list;
}

/* ---- an event or a metric */

static struct json_object *scope_json(const struct counter *event)
{
	if (event->flags & EVENT_WITHOUT_USER)
		return json_text("kernel");
	return json_text(event->flags & (EVENT_WITHOUT_KERNEL | EVENT_KERNEL_REFUSED) ? "program"
										      : "all");
}

static void add_spread(struct json_object *object, const struct counter_figure *figure,
		       const struct spread *spread)
{
	bool is_any = spread->count > 0;

	json_add(object, "min", counter_figure_json(figure, is_any ? spread->min_ns : NAN));
	json_add(object, "mean",
		 is_any ? json_number(spread->mean_ns / (counter_figure_is_time(figure) ? 1e9 : 1))
			: NULL);
	json_add(object, "max", counter_figure_json(figure, is_any ? spread->max_ns : NAN));
	json_add(object, "imbalance_percent", json_number(report_counter_imbalance(spread)));
}

static void add_event(const struct report *report, struct json_object *object,
		      const struct counter_figure *figure)
{
	const struct counter *event = &figure->counters->rows[figure->event];

	json_add(object, "coverage", json_number(event->coverage));
	json_add(object, "threads", json_count(event->threads));
	json_add(object, "refused", json_count(event->refused));
	json_add(object, "counted", json_count(event->sum.count));
	json_add(object, "enabled_seconds", json_seconds(event->enabled_ns));
	json_add(object, "running_seconds", json_seconds(event->running_ns));
	json_add(object, "period", event->period ? json_count(event->period) : NULL);
	json_add(object, "scope", scope_json(event));
	add_spread(object, figure, &event->by[report->is_by_process ? BY_PROCESS : BY_THREAD]);
}

static struct json_object *figure_json(const struct report *report,
				       const struct counter_figure *figure)
{
	struct json_object *object = json_object_new_object();
	char *reason = counter_figure_reason(figure);
	double total = counter_figure_value(figure, &figure->counters->whole, COUNTER_SELF);

	json_add(object, "name", json_text(counter_figure_name(figure)));
	json_add(object, "kind", json_text(figure->metric ? "metric" : "event"));
	json_add(object, "unit", json_text(counter_figure_unit(figure)));
	json_add(object, "total", counter_figure_json(figure, total));
	json_add(object, "grade", json_text(report_grade_text(counter_figure_grade(figure))));
	json_add(object, "reason", json_text(reason));
	json_add(object, "formula", json_text(figure->metric ? figure->metric->formula : NULL));
	if (figure->event)
		add_event(report, object, figure);
	for (size_t i = 0; i < BREAKDOWNS; i++)
		json_add(object, breakdowns[i].key, breakdown_json(report, &breakdowns[i], figure));
	free(reason);
	return object;
}

struct json_object *report_counters_json(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < counter_figure_count(counters); i++) {
		struct counter_figure figure = counter_figure_at(counters, i);

		json_object_array_add(list, figure_json(report, &figure));
	}
	return list;
}

/* ---- rows: one for each figure at each place */

static struct json_object *row_json(const struct report *report,
				    const struct counter_figure *figure, const char *by,
				    const struct counter_place *place, const char *where)
{
	struct json_object *object = json_object_new_object();
	const struct routine *routine =
		place->kind == COUNTER_ROUTINE ? names_routine(report->run->names, place->a) : NULL;
	bool has_line = routine && place->b && place->b != COUNTER_WHOLE;

	json_add(object, "by", json_text(by));
	json_add(object, "where", json_text(where));
	json_add(object, "module", json_text(routine && *routine->module ? routine->module : NULL));
	json_add(object, "file", json_text(routine ? routine->file : NULL));
	json_add(object, "line", has_line ? json_count(place->b) : NULL);
	json_add(object, "name", json_text(counter_figure_name(figure)));
	json_add(object, "unit", json_text(counter_figure_unit(figure)));
	counter_figure_add_parts(object, figure, place);
	counter_figure_add_samples(object, figure, place);
	return object;
}

static char *where_text(const struct report *report, const struct counter_place *place)
{
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

static void add_rows(const struct report *report, struct json_object *list,
		     const struct breakdown *breakdown, const struct counter_figure *figure)
{
	const struct counter_places *places = breakdown->places(report);
	const char *by = breakdown->key + sizeof "by_" - 1;

	for (size_t i = 0; i < report_rows(report, places->count); i++) {
		char *where = where_text(report, places->rows[i]);

		if (has_value(figure, places->rows[i]))
			json_object_array_add(list,
					      row_json(report, figure, by, places->rows[i], where));
		free(where);
	}
}

/* For the whole run the reason stands where a place would. */
static void add_whole_row(const struct report *report, struct json_object *list,
			  const struct counter_figure *figure)
{
	const struct counter_place *whole = &figure->counters->whole;
	char *reason = counter_figure_reason(figure);
	struct json_object *object = row_json(report, figure, "run", whole, NULL);
	enum grade grade = counter_figure_grade(figure);

	json_add(object, "grade", json_text(report_grade_text(grade)));
	json_add(object, "reason", json_text(reason));
	json_object_array_add(list, object);
	free(reason);
}

struct json_object *report_counters_rows(const struct report *report)
{
	const struct counters *counters = &report->run->counters;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < counter_figure_count(counters); i++) {
		struct counter_figure figure = counter_figure_at(counters, i);

		add_whole_row(report, list, &figure);
	}
	for (size_t by = 0; by < BREAKDOWNS; by++)
		for (size_t i = 0; i < counter_figure_count(counters); i++) {
			struct counter_figure figure = counter_figure_at(counters, i);

			add_rows(report, list, &breakdowns[by], &figure);
		}
	return list;
}
