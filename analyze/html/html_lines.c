/* SPDX-License-Identifier: MIT */
/* The source lines at which most time was spent. */
#include "analyze/html/html_line_events.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

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
