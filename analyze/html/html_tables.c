/* SPDX-License-Identifier: MIT */
/* Sections that are tables of their rows, and little else. */
#include "analyze/html/html_line_events.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

/* path: of the rows in the section's JSON. */
#define TABLE(caption, fields, path)                                                               \
	row_fields_html(report, caption, &fields, html_json_at(json, path), NULL);
#define SECTION(name, tables)                                                                      \
	void html_##name(const struct report *report, struct json_object *json)                    \
	{                                                                                          \
		tables                                                                             \
	}

SECTION(calls, TABLE("Exact calls, the most self time first", calls_fields, ""))
SECTION(processes, TABLE("Process images, in the order of their starts", processes_fields, ""))
SECTION(programs, TABLE("Programs, the most CPU time first", programs_fields, ""))
SECTION(tree, TABLE("Call paths with CPU time, callers above what they call", tree_fields, "rows"))
SECTION(wait_tree,
	TABLE("Call paths with waits, callers above what they call", tree_fields, "rows"))
SECTION(requests, TABLE("Requests, the most first", requests_fields, ""))
SECTION(pipelines,
	TABLE("Pipelines, the most waiting first", pipeline_verdicts_fields, "pipelines")
		TABLE("Stages, in the order in which data flows", stages_fields, "stages"))
SECTION(connections,
	TABLE("Pipes and sockets between processes", connections_fields, "connections"))
SECTION(stuck, TABLE("What does not end", stuck_verdicts_fields, "verdicts")
		       TABLE("Threads that live, and their waits", stuck_fields, "waits"))
SECTION(mpi_calls, TABLE("MPI calls, the most time first", mpi_calls_fields, "calls"))
SECTION(mpi_sites, TABLE("Places that call MPI, the most time first", mpi_sites_fields, "sites"))

void html_io(const struct report *report, struct json_object *json)
{
	struct json_object *sums = json_object_new_array();

	json_object_array_add(sums, json_object_get(json));
	row_fields_html(report, "All input and output", &io_sum_fields, sums, NULL);
	json_object_put(sums);
	row_fields_html(report, "Objects, the most waiting first", &io_fields,
			html_json_at(json, "rows"), NULL);
}

void html_lines(const struct report *report, struct json_object *json)
{
	struct html_fields all = {0};
	size_t count;
	struct html_field *fields = row_fields_page(report, &lines_fields, &count);

	html_fields_add(&all, fields, count);
	html_fields_add_events(&all, json, &report->run, 1, NULL);
	html_json_table(report->out, "Source lines, those at which most time was spent first",
			all.list, all.count, json, report->top, NULL);
	html_fields_clear(&all);
	free(fields);
}
