/* SPDX-License-Identifier: MIT */
#include "analyze/report/counter_figures.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/concurrency/sample_share.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t counter_figure_count(const struct counters *counters)
{
	return counters->limit ? counters->limit - 1 + counters->metric_count : 0;
}

struct counter_figure counter_figure_at(const struct counters *counters, size_t number)
{
	size_t events = counters->limit - 1;

	if (number < events)
		return (struct counter_figure){.counters = counters, .event = number + 1};
	return (struct counter_figure){.counters = counters,
				       .metric = &counters->metrics[number - events]};
}

static const struct counter *event_of(const struct counter_figure *figure)
{
	return &figure->counters->rows[figure->event];
}

const char *counter_figure_name(const struct counter_figure *figure)
{
	return figure->metric ? figure->metric->name : event_of(figure)->name;
}

static const char *own_unit(const struct counter_figure *figure)
{
	return figure->metric ? figure->metric->unit : event_of(figure)->unit;
}

bool counter_figure_is_time(const struct counter_figure *figure)
{
	return !figure->metric && !strcmp(own_unit(figure), "ns");
}

static bool is_size(const struct counter_figure *figure)
{
	return !strcmp(own_unit(figure), "bytes");
}

const char *counter_figure_unit(const struct counter_figure *figure)
{
	return counter_figure_is_time(figure) ? "seconds" : own_unit(figure);
}

enum grade counter_figure_grade(const struct counter_figure *figure)
{
	return figure->metric ? figure->metric->grade : event_of(figure)->grade;
}

double counter_figure_value(const struct counter_figure *figure, const struct counter_place *place,
			    enum counter_part part)
{
	if (figure->metric)
		return counters_metric(figure->counters, figure->metric, place, part);
	return counters_value(figure->counters, place, figure->event, part);
}

char *counter_figure_text(const struct counter_figure *figure, double value)
{
	if (!isfinite(value))
		return memory_copy_text("n/a");
	if (counter_figure_is_time(figure))
		return text_seconds(value);
	if (is_size(figure))
		return memory_copy_text(quantity_size(number_of_real(value)).text);
	return memory_copy_text(quantity_amount(value, !figure->metric).text);
}

struct json_object *counter_figure_json(const struct counter_figure *figure, double value)
{
	if (!isfinite(value))
		return NULL;
	if (counter_figure_is_time(figure))
		return json_seconds_of(value);
	return figure->metric ? json_number(value) : json_count(number_of_real(rint(value)));
}

/* Which parts a place has: of a thread the levels are not kept apart. */
static bool has_part(const struct counter_place *place, enum counter_part part)
{
	if (part == COUNTER_TOTAL)
		return place->kind == COUNTER_ROUTINE;
	return part == COUNTER_SELF ||
	       (place->kind != COUNTER_THREAD && place->kind != COUNTER_PROCESS);
}

struct json_object *counter_figure_part(const struct counter_figure *figure,
					const struct counter_place *place, enum counter_part part)
{
	if (!has_part(place, part))
		return NULL;
	return counter_figure_json(figure, counter_figure_value(figure, place, part));
}

uint64_t counter_figure_samples(const struct counter_figure *figure,
				const struct counter_place *place)
{
	return figure->metric ? 0 : counter_place_sum(place, figure->event, COUNTER_SELF)->samples;
}

/* ---- reasons */

static char *metric_reason(const struct counter_figure *figure)
{
	const struct counter_metric *metric = figure->metric;

	if (!metric->steps.count)
		return memory_copy_text("its formula is damaged");
	if (metric->missing)
		return memory_print("%s is not known",
				    figure->counters->rows[metric->missing].name);
	if (isnan(metric->value))
		return memory_copy_text("it would be divided by zero");
	if (metric->grade == GRADE_EXACT)
		return NULL;
	return memory_copy_text("events of its formula are estimated");
}

char *counter_figure_reason(const struct counter_figure *figure)
{
	return figure->metric ? metric_reason(figure) : counters_reason(event_of(figure));
}

bool counter_figure_is_local(const struct counter_figure *figure)
{
	if (counter_figure_grade(figure) == GRADE_UNKNOWN)
		return false;
	for (size_t i = 0; figure->metric && i < figure->metric->steps.count; i++)
		if (figure->metric->steps.rows[i].op == STEP_ELAPSED_SECONDS)
			return false;
	return true;
}

double report_counter_imbalance(const struct spread *spread)
{
	return spread->mean_ns > 0 ? 100 * (spread->max_ns / spread->mean_ns - 1) : NAN;
}

const struct counter_places *report_counter_threads(const struct report *report)
{
	const struct counter_places *of = report->run->counters.of;

	return report->is_by_process || report->run->is_folded ? &of[COUNTER_PROCESS]
							       : &of[COUNTER_THREAD];
}

const char *report_counter_cause(const struct counter_place *place)
{
	if (place->a == COUNTER_WHOLE)
		return "[unsampled]";
	return place->a ? vocabulary_cause(place->a) : "(no wait)";
}

const struct thread_time *report_counter_thread(const struct report *report,
						const struct counter_place *place)
{
	const struct process *process = &report->run->processes[place->a];

	return place->kind == COUNTER_THREAD && place->b < process->thread_count
		       ? &process->threads[place->b]
		       : NULL;
}

char *report_counter_unit(const struct report *report, const struct counter_place *place)
{
	const struct process *process = &report->run->processes[place->a];
	const struct thread_time *time = report_counter_thread(report, place);
	uint32_t pid = process->file->header.pid;

	if (!time)
		return memory_print("%u %s", pid, process->file->process.command);
	if (report->run->process_count > 1)
		return memory_print("%s (%u, %llu)", time->shown_name, pid,
				    (unsigned long long)time->thread->tid);
	return memory_print("%s (%llu)", time->shown_name, (unsigned long long)time->thread->tid);
}
