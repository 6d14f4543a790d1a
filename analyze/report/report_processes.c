/* SPDX-License-Identifier: MIT */
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

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
