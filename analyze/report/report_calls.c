/* SPDX-License-Identifier: MIT */
/* Exact calls of instrumented routines. */
#include "analyze/base/memory.h"
#include "analyze/model/common/grade.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

static char *place_text(const struct routine *routine, unsigned line)
{
	if (!routine->file)
		return memory_copy_text(runtime_base_name(routine->module));
	return line ? memory_print("%s:%u", runtime_base_name(routine->file), line)
		    : memory_copy_text(runtime_base_name(routine->file));
}

static double sequential_percent(const struct call_time *row)
{
	return row->calls ? 100 * ((double)row->sequential / (double)row->calls) : 0;
}

static const struct routine *routine_of(const struct report *report, const struct call_time *row)
{
	return names_routine(report->run->names, row->routine);
}

#define ROW      const struct call_time
#define ROW_NAME calls
#include "analyze/report/define_fields.h"

void report_calls_text(const struct report *report)
{
	const struct call_times *times = &report->run->calls;

	if (!times->count)
		report_print_wrapped(
			report, "  ",
			"none: no code was compiled with -finstrument-functions or -pg");
	rows_text(report, &calls_fields, times->rows, times->count, sizeof *times->rows);
}

struct json_object *report_calls_exact_json(const struct report *report)
{
	const struct call_times *times = &report->run->calls;

	return rows_json(report, &calls_fields, times->rows, report_rows(report, times->count),
			 sizeof *times->rows);
}
