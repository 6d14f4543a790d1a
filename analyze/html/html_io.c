/* SPDX-License-Identifier: MIT */
/* Calls of input and output, and their waits. */
#include "analyze/html/html_sections.h"
#include "analyze/report/row_fields.h"

void html_io(const struct report *report, struct json_object *json)
{
	struct json_object *sums = json_object_new_array();

	json_object_array_add(sums, json_object_get(json));
	row_fields_html(report, "All input and output", &io_sum_fields, sums, NULL);
	json_object_put(sums);
	row_fields_html(report, "Objects, the most waiting first", &io_fields,
			html_json_at(json, "rows"), NULL);
}
