/* SPDX-License-Identifier: MIT */
/* Exact calls of instrumented routines. */
#include "analyze/base/memory.h"
#include "analyze/model/common/grade.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_spread.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <string.h>

static char *place_text(const struct routine *routine, unsigned line)
{
	if (!routine->file)
		return memory_copy_text(runtime_base_name(routine->module));
	return line ? memory_print("%s:%u", runtime_base_name(routine->file), line)
		    : memory_copy_text(runtime_base_name(routine->file));
}

static char *time_text(const struct call_time *row, uint64_t ns)
{
	return text_seconds(call_time_is_known(row) ? (double)ns : NAN);
}

static char *count_text(const struct call_time *row, uint64_t count)
{
	if (!call_time_is_known(row))
		return text_seconds(NAN);
	return count ? text_count(count) : memory_copy_text("");
}

/* At the instant of a call it is known how many threads were in no wait, not who was ready. */
static char *sequential_text(const struct report *report, const struct call_time *row)
{
	double share = row->calls ? (double)row->sequential / (double)row->calls : 0;

	return text_graded(text_percent(100 * share), GRADE_ESTIMATED, report->is_utf8);
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct call_time *row)
{
	const struct routine *routine = names_routine(report->run->names, row->routine);

	text_table_add(table, text_count(row->calls));
	text_table_add(table, sequential_text(report, row));
	text_table_add(table, count_text(row, row->open));
	text_table_add(table, time_text(row, row->self_ns));
	text_table_add(table, time_text(row, row->total_ns));
	text_table_add(table, text_seconds(call_time_mean_ns(row)));
	text_table_add(table, count_text(row, row->threads));
	text_table_add(table, row->threads || !call_time_is_known(row)
				      ? time_text(row, row->started_ns)
				      : memory_copy_text(""));
	text_table_add(table, text_without_templates(routine->name));
	text_table_add(table, place_text(routine, row->line));
}

void report_calls_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"calls", TEXT_RIGHT},   {"sequential", TEXT_RIGHT}, {"open", TEXT_RIGHT},
		{"self", TEXT_RIGHT},    {"total", TEXT_RIGHT},      {"per call", TEXT_RIGHT},
		{"threads", TEXT_RIGHT}, {"started", TEXT_RIGHT},    {"routine", TEXT_FLEXIBLE},
		{"at", TEXT_FLEXIBLE},
	};
	const struct call_times *times = &report->run->calls;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t count = report_rows(report, times->count);

	if (!times->count)
		report_print_wrapped(
			report, "  ",
			"none: no code was compiled with -finstrument-functions or -pg");
	for (size_t i = 0; i < count; i++)
		add_row(report, table, &times->rows[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_more(report, times->count - count);
}

static struct json_object *row_json(const struct report *report, const struct call_time *row)
{
	const struct routine *routine = names_routine(report->run->names, row->routine);
	struct json_object *object = json_object_new_object();
	bool is_known = call_time_is_known(row);

	json_add(object, "name", json_text(routine->name));
	json_add(object, "module", json_text(*routine->module ? routine->module : NULL));
	json_add(object, "file", json_text(routine->file));
	json_add(object, "line", row->line ? json_count(row->line) : NULL);
	json_add(object, "calls", json_count(row->calls));
	json_add(object, "sequential", json_count(row->sequential));
	json_add(object, "concurrent", json_count(row->calls - row->sequential));
	json_add(object, "open", is_known ? json_count(row->open) : NULL);
	json_add(object, "untimed", json_count(row->untimed));
	json_add(object, "unmatched", json_count(row->unmatched));
	json_add(object, "self_seconds", is_known ? json_seconds(row->self_ns) : NULL);
	json_add(object, "total_seconds", is_known ? json_seconds(row->total_ns) : NULL);
	json_add(object, "call_seconds", json_seconds_of(call_time_mean_ns(row)));
	json_add(object, "threads_started", is_known ? json_count(row->threads) : NULL);
	json_add(object, "started_seconds", is_known ? json_seconds(row->started_ns) : NULL);
	json_add(object, "grade", json_text(report_grade_text(GRADE_EXACT)));
	json_add(object, "sequential_grade", json_text(report_grade_text(GRADE_ESTIMATED)));
	return object;
}

struct json_object *report_calls_exact_json(const struct report *report)
{
	const struct call_times *times = &report->run->calls;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, times->count); i++)
		json_object_array_add(list, row_json(report, &times->rows[i]));
	return list;
}
