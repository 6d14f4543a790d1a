/* SPDX-License-Identifier: MIT */
/* Events and metrics alike, as figures that outputs show: a name, a unit, and a value at a place.
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
