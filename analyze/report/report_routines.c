/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_spread.h"
#include "analyze/report/row_fields.h"
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

static const struct routine *routine_of(const struct report *report, const struct routine_time *row)
{
	return names_routine(report->run->names, row->routine);
}

/* Exact, where it was compiled for it. */
static struct value calls_of(const struct report *report, const struct routine_time *row)
{
	const struct call_time *calls = call_times_of(&report->run->calls, row->routine);

	if (!calls)
		return (struct value){.kind = VALUE_NONE};
	return (struct value){.kind = VALUE_COUNT, .whole = calls->calls};
}

static const struct spread *spread_of(const struct routine_time *row)
{
	return report_spread_known(&row->spread);
}

#define ROW      const struct routine_time
#define ROW_NAME routines
#include "analyze/report/define_fields.h"

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
	const struct routine_times *times = &report->run->routines;
	struct row_table *table = row_table_create(report, &routines_fields);
	size_t count = times->count;

	/* Routines that only call others are at the end, for readers who ask for all. */
	while (report->top && count && !times->rows[count - 1].self_ns)
		count--;
	for (size_t i = 0; i < report_rows(report, count); i++)
		row_table_add(table, &times->rows[i]);
	row_table_print(table);
	report_print_more(report, times->count - report_rows(report, count));
	if (!are_all_alone(report->run))
		print_alone(report);
}

struct json_object *report_routines_json(const struct report *report)
{
	const struct routine_times *times = &report->run->routines;

	return rows_json(report, &routines_fields, times->rows, report_rows(report, times->count),
			 sizeof *times->rows);
}
