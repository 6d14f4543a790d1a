/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/programs.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

#define IO_WIDTH 110 /* below it the bytes of input and output are left out */

#define ROW      const struct process
#define ROW_NAME processes
#include "analyze/report/define_fields.h"

void report_processes_text(const struct report *report)
{
	const struct run *run = report->run;

	rows_text(report, &processes_fields, run->processes, run->process_count,
		  sizeof *run->processes);
}

struct json_object *report_processes_json(const struct report *report)
{
	const struct run *run = report->run;

	return rows_json(report, &processes_fields, run->processes, run->process_count,
			 sizeof *run->processes);
}

/* ---- by program */

#define ROW      const struct program
#define ROW_NAME programs
#include "analyze/report/define_fields.h"

void report_programs_text(const struct report *report)
{
	struct programs programs = programs_of(report->run);

	rows_text(report, &programs_fields, programs.rows, programs.count, sizeof *programs.rows);
	free(programs.rows);
}

struct json_object *report_programs_json(const struct report *report)
{
	struct programs programs = programs_of(report->run);
	struct json_object *list = rows_json(report, &programs_fields, programs.rows,
					     programs.count, sizeof *programs.rows);

	free(programs.rows);
	return list;
}
