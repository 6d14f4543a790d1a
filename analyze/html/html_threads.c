/* SPDX-License-Identifier: MIT */
/* When threads lived and where their lifetimes went: a plot, and the table with the same content.
 */
#include "analyze/html/html_lifetimes.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_page.h"
#include "analyze/report/report_threads.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

static void print_table(const struct report *report, const struct thread_lines *lines)
{
	struct json_object *list = json_object_new_array();
	size_t count;
	struct html_field *fields = row_fields_page(report, &threads_fields, &count);

	for (size_t i = 0; i < report_rows(report, lines->count); i++) {
		const struct thread_row row = report_thread_row(&lines->rows[i]);

		json_object_array_add(list, row_page_json(report, &threads_fields, &row));
	}
	html_json_table(report->out, "Lifetimes, and what blocked time was spent on", fields, count,
			list, 0, NULL);
	html_more(report->out, lines->count - report_rows(report, lines->count));
	json_object_put(list);
	free(fields);
}

void html_threads(const struct report *report, struct json_object *json)
{
	struct thread_lines lines = thread_lines_of(report->run, report->is_by_process);

	(void)json;
	html_lifetimes(report, &lines);
	print_table(report, &lines);
	free(lines.rows);
}
