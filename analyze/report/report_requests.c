/* SPDX-License-Identifier: MIT */
/* What servers answered. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/run/run_units.h"
#include "analyze/print/json.h"
#include "analyze/report/report_lengths.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

static double requests_per_second(const struct report *report, const struct request_times *times)
{
	uint64_t elapsed_ns = report->run->elapsed_ns;

	return elapsed_ns ? 1e9 * (double)times->count / (double)elapsed_ns : NAN;
}

#define ROW      const struct request_row
#define ROW_NAME requests
#include "analyze/report/define_fields.h"

void report_requests_text(const struct report *report)
{
	const struct requests *all = &report->run->requests;

	if (!all->count)
		report_print_wrapped(report, "  ",
				     "none: nothing was read from a socket that accept made, and "
				     "answered by a write to it");
	rows_text(report, &requests_fields, all->rows, all->count, sizeof *all->rows);
}

struct json_object *report_requests_json(const struct report *report)
{
	const struct requests *all = &report->run->requests;

	return rows_json(report, &requests_fields, all->rows, report_rows(report, all->count),
			 sizeof *all->rows);
}

static const struct request_server *first_server(const struct requests *all)
{
	const struct request_server *first = all->servers;

	for (size_t i = 1; i < all->server_count; i++)
		if (all->servers[i].times.count > first->times.count)
			first = &all->servers[i];
	return first;
}

static char *share_text(const struct report *report, const struct request_times *times,
			double percent)
{
	struct histogram_percentile at = request_percentile(times, percent);

	return value_text(
		value_graded(report_percentile_grade(at),
			     (struct value){.kind = VALUE_REAL_SECONDS, .real = at.value}),
		report->is_utf8);
}

char *report_requests_summary(const struct report *report)
{
	const struct requests *all = &report->run->requests;
	const struct request_server *server = first_server(all);

	if (!all->answered)
		return NULL;
	char *half = share_text(report, &server->times, 50);
	char *most = share_text(report, &server->times, 99);
	char *text = memory_print("%s by %s, %s a second; CPU %s each; half %s, 99 %% %s",
				  quantity_count((double)server->times.count).text, server->program,
				  quantity_number(requests_per_second(report, &server->times)).text,
				  quantity_seconds(request_cpu_ns(server)).text, half, most);

	free(half);
	free(most);
	return text;
}

/* ---- units of work that the user named */

char *report_units_summary(const struct report *report)
{
	const struct run *run = report->run;

	if (!run->units.per)
		return NULL;
	return memory_print("%s of %s, %s a second; CPU %s each, locks %s each",
			    quantity_count((double)run->units.count).text, run->units.per,
			    quantity_number(run_units_per_second(run)).text,
			    quantity_seconds(run_units_cpu_ns(run)).text,
			    quantity_seconds(run_units_locks_ns(run)).text);
}

struct json_object *report_units_json(const struct report *report)
{
	const struct run *run = report->run;
	struct json_object *object;

	if (!run->units.per)
		return NULL;
	object = json_object_new_object();
	json_add(object, "per", json_text(run->units.per));
	json_add(object, "count", json_count(run->units.count));
	json_add(object, "per_second", json_number(run_units_per_second(run)));
	json_add(object, "cpu_seconds_each", json_number(run_units_cpu_ns(run) / 1e9));
	json_add(object, "lock_seconds_each", json_number(run_units_locks_ns(run) / 1e9));
	return object;
}
