/* SPDX-License-Identifier: MIT */
/* Events and metrics alike, as figures that outputs show: a name, a unit, a value at a place, and
 * the place in words.
 *
 * Times are shown in seconds, and are nanoseconds here. Context: pure. */
#pragma once

#include "analyze/model/counters/counters.h"
#include "analyze/report/report.h"

struct counter_figure {
	const struct counters *counters;
	size_t event;                        /* 0: it is a metric */
	const struct counter_metric *metric; /* NULL: it is an event */
};

/* Events in the order of the request, then metrics. */
size_t counter_figure_count(const struct counters *counters);
struct counter_figure counter_figure_at(const struct counters *counters, size_t number);

const char *counter_figure_name(const struct counter_figure *figure);
const char *counter_figure_unit(const struct counter_figure *figure); /* "seconds" for ns */
enum grade counter_figure_grade(const struct counter_figure *figure);
/* Values are nanoseconds, and shown in seconds. */
bool counter_figure_is_time(const struct counter_figure *figure);
/* NAN: unknown. */
double counter_figure_value(const struct counter_figure *figure, const struct counter_place *place,
			    enum counter_part part);
/* "n/a" for what is unknown; released by the caller. */
char *counter_figure_text(const struct counter_figure *figure, double value);
/* null for what is unknown. */
struct json_object *counter_figure_json(const struct counter_figure *figure, double value);
/* null: such a part is not known at such a place. */
struct json_object *counter_figure_part(const struct counter_figure *figure,
					const struct counter_place *place, enum counter_part part);
/* An event's own ones; 0 of a metric. */
uint64_t counter_figure_samples(const struct counter_figure *figure,
				const struct counter_place *place);
/* Why it is not exact, or not known; NULL: it is exact. Released by the caller. */
char *counter_figure_reason(const struct counter_figure *figure);
/* Can it be known at a place that is not the whole run? */
bool counter_figure_is_local(const struct counter_figure *figure);

#define REPORT_NO_COUNTERS                                                                         \
	"no events were counted: ask for them with ptrace-run -e LIST (ptrace-run --list-events "  \
	"prints those that work here)"

/* By how much the most exceeds the mean, percent: (max / mean - 1) x 100; NAN: nothing counted. */
double report_counter_imbalance(const struct spread *spread);
/* By thread; by process where that is asked for, or threads have no rows. */
const struct counter_places *report_counter_threads(const struct report *report);
/* Its row; NULL: the place is a process, or a merged run has no row for it. */
const struct thread_time *report_counter_thread(const struct report *report,
						const struct counter_place *place);
/* A thread or process in words; released by the caller. */
char *report_counter_unit(const struct report *report, const struct counter_place *place);
/* "mutex", "(no wait)", "[unsampled]". */
const char *report_counter_cause(const struct counter_place *place);
