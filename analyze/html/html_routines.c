/* SPDX-License-Identifier: MIT */
/* Where the CPU time went: by call path, and by routine. */
#include "analyze/html/html_flame.h"
#include "analyze/html/html_json.h"
#include "analyze/html/html_sections.h"

#define FIELDS 14

void html_routines(const struct report *report, struct json_object *json)
{
	const struct html_field fields[FIELDS] = {
		{"name", "routine", HTML_TEXT, NULL, false, false},
		{"file", "file", HTML_TEXT, NULL, false, false},
		{"line", "line", HTML_TEXT, NULL, false, false},
		{"self_seconds", "self", HTML_SECONDS, NULL, false, true},
		{"total_seconds", "total", HTML_SECONDS, NULL, false, true},
		{"alone_seconds", "alone", HTML_SECONDS, NULL, false, false},
		{"average_concurrency", "average", HTML_NUMBER, NULL, false, false},
		{"samples", "samples", HTML_COUNT, NULL, false, false},
		{"threads", report->is_by_process ? "processes" : "threads", HTML_COUNT, NULL,
		 false, false},
		{"min_seconds", "least", HTML_SECONDS, NULL, false, false},
		{"mean_seconds", "mean", HTML_SECONDS, NULL, false, false},
		{"max_seconds", "most", HTML_SECONDS, NULL, false, false},
		{"stddev_seconds", "deviation", HTML_SECONDS, NULL, false, false},
		{"max_at", "most in", HTML_TEXT, NULL, false, false},
	};

	html_flame_print(report);
	html_json_table(report->out, "Routines, the most self time first", fields, FIELDS, json,
			report->top, NULL);
}
