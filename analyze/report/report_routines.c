/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_spread.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALONE_ROWS  3
#define WAITS_WIDTH 110 /* below it the total with waits is left out */

/* A share of elapsed time. */
static double share_ns(const struct routine_time *row, uint64_t ns)
{
	return row->is_share_known ? (double)ns : NAN;
}

/* CPU time, and time blocked in waits. */
static double elapsed_ns(const struct routine_time *row, uint64_t cpu_ns, uint64_t blocked_ns)
{
	return row->is_blocked_known ? (double)(cpu_ns + blocked_ns) : NAN;
}

static char *name_text(const struct report *report, const struct routine_time *row)
{
	return text_without_templates(names_routine(report->run->names, row->routine)->name);
}

/* "x.c:12", or "libm.so.6" without a source file; "" if the name contains it already. */
static char *place_text(const struct report *report, const struct routine_time *row)
{
	const struct routine *routine = names_routine(report->run->names, row->routine);
	const char *module = runtime_base_name(routine->module);

	if (routine->file && row->line)
		return memory_print("%s:%u", runtime_base_name(routine->file), row->line);
	if (routine->file)
		return memory_copy_text(runtime_base_name(routine->file));
	return memory_copy_text(strncmp(routine->name, module, strlen(module)) ? module : "");
}

static void add_row(const struct report *report, struct text_table *table,
		    const struct routine_time *row)
{
	text_table_add(table, text_seconds((double)row->self_ns));
	text_table_add(table, report_error_text(report, row->samples));
	text_table_add(table,
		       text_percent(100 * (double)row->self_ns / (double)report->run->cpu_ns));
	text_table_add(table, text_seconds((double)row->total_ns));
	text_table_add(table,
		       report->width >= WAITS_WIDTH
			       ? text_seconds(elapsed_ns(row, row->total_ns, row->total_blocked_ns))
			       : memory_copy_text(""));
	text_table_add(table, text_seconds(share_ns(row, row->elapsed_ns)));
	text_table_add(table, text_seconds(share_ns(row, row->alone_ns)));
	text_table_add(table, text_number(row->average_concurrency));
	text_table_add(table, text_count(row->spread.count));
	text_table_add(table, name_text(report, row));
	text_table_add(table, place_text(report, row));
}

static int compare_alone(const void *left, const void *right)
{
	const struct routine_time *a = *(const struct routine_time *const *)left;
	const struct routine_time *b = *(const struct routine_time *const *)right;

	if (a->alone_ns != b->alone_ns)
		return a->alone_ns > b->alone_ns ? -1 : 1;
	return (a > b) - (a < b); /* of one sorted array */
}

/* A rank with one thread is alone in its process, whatever the other ranks do. */
static bool are_all_alone(const struct run *run)
{
	return run->mpi.ranks.count > 1 && run->mpi.efficiency.units == run->mpi.ranks.count;
}

/* The routines to make parallel first. */
static void print_alone(const struct report *report)
{
	const struct routine_times *times = &report->run->routines;
	const struct routine_time **rows = memory_allocate(times->count, sizeof *rows);
	size_t count = 0;

	for (size_t i = 0; i < times->count; i++)
		if (times->rows[i].samples && times->rows[i].alone_ns)
			rows[count++] = &times->rows[i];
	qsort(rows, count, sizeof *rows, compare_alone);
	for (size_t i = 0; i < count && i < ALONE_ROWS; i++) {
		char *alone =
			report_graded_seconds(report, (double)rows[i]->alone_ns, GRADE_SAMPLED);
		char *name = name_text(report, rows[i]), *place = place_text(report, rows[i]);
		char *text = memory_print("%s %s%s%s", alone, name, *place ? " " : "", place);
		char *line = text_fit(text, report->width - 15, report->is_utf8);

		report_print_wrapped(report, i ? "               " : "  most alone:  ", line);
		free(alone);
		free(name);
		free(place);
		free(text);
		free(line);
	}
	free(rows);
}

void report_routines_text(const struct report *report)
{
	const struct text_column columns[] = {
		{"self", TEXT_RIGHT},
		{"error", TEXT_SPARE},
		{"share", TEXT_RIGHT},
		{"total", TEXT_SPARE},
		{"+waits", TEXT_SPARE},
		{"elapsed", TEXT_SPARE},
		{"alone", TEXT_SPARE},
		{"average", TEXT_SPARE},
		{report->is_by_process ? "processes" : "threads", TEXT_SPARE},
		{"routine", TEXT_FLEXIBLE},
		{"at", TEXT_FLEXIBLE},
	};
	const struct routine_times *times = &report->run->routines;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t count = times->count;

	/* Routines that only call others are at the end, for readers who ask for all. */
	while (report->top && count && !times->rows[count - 1].self_ns)
		count--;
	for (size_t i = 0; i < report_rows(report, count); i++)
		add_row(report, table, &times->rows[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_more(report, times->count - report_rows(report, count));
	if (!are_all_alone(report->run))
		print_alone(report);
}

static struct json_object *row_json(const struct report *report, const struct routine_time *row)
{
	const struct routine *routine = names_routine(report->run->names, row->routine);
	const struct call_time *calls = call_times_of(&report->run->calls, row->routine);
	struct json_object *object = json_object_new_object();

	json_add(object, "name", json_text(routine->name));
	json_add(object, "module", json_text(*routine->module ? routine->module : NULL));
	json_add(object, "file", json_text(routine->file));
	json_add(object, "line", row->line ? json_count(row->line) : NULL);
	json_add(object, "calls", calls ? json_count(calls->calls) : NULL);
	json_add(object, "samples", json_count(row->samples));
	json_add(object, "self_seconds", json_seconds(row->self_ns));
	json_add(object, "self_percent",
		 json_number(100 * (double)row->self_ns / (double)report->run->cpu_ns));
	json_add(object, "error_percent", json_number(sample_error_percent(row->samples)));
	json_add(object, "total_seconds", json_seconds(row->total_ns));
	json_add(object, "elapsed_seconds", json_seconds_of(share_ns(row, row->elapsed_ns)));
	json_add(object, "alone_seconds", json_seconds_of(share_ns(row, row->alone_ns)));
	json_add(object, "total_elapsed_seconds",
		 json_seconds_of(share_ns(row, row->total_elapsed_ns)));
	json_add(object, "total_alone_seconds",
		 json_seconds_of(share_ns(row, row->total_alone_ns)));
	json_add(object, "elapsed_self_seconds",
		 json_seconds_of(elapsed_ns(row, row->self_ns, row->blocked_ns)));
	json_add(object, "elapsed_total_seconds",
		 json_seconds_of(elapsed_ns(row, row->total_ns, row->total_blocked_ns)));
	json_add(object, "average_concurrency", json_number(row->average_concurrency));
	report_spread_add(report, object, &row->spread);
	json_add(object, "grade", json_text(report_grade_text(GRADE_SAMPLED)));
	return object;
}

struct json_object *report_routines_json(const struct report *report)
{
	const struct routine_times *times = &report->run->routines;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report_rows(report, times->count); i++)
		json_object_array_add(list, row_json(report, &times->rows[i]));
	return list;
}
