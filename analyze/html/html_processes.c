/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_json.h"
#include "analyze/html/html_sections.h"

static const struct html_field fields[] = {
	{"rank", "rank", HTML_COUNT, NULL, true, false},
	{"pid", "pid", HTML_COUNT, NULL, false, false},
	{"sequence", "image", HTML_COUNT, NULL, false, false},
	{"parent_pid", "parent", HTML_COUNT, NULL, false, false},
	{"elapsed_seconds", "elapsed", HTML_SECONDS, NULL, false, true},
	{"cpu_seconds", "CPU", HTML_SECONDS, NULL, false, true},
	{"threads", "threads", HTML_COUNT, NULL, false, false},
	{"status", "status", HTML_TEXT, NULL, false, false},
	{"host", "host", HTML_TEXT, NULL, false, false},
	{"command", "command", HTML_TEXT, NULL, false, false},
};

void html_processes(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "Process images, in the order of their starts", fields,
			sizeof fields / sizeof *fields, json, report->top, NULL);
}
