/* SPDX-License-Identifier: MIT */
/* Lengths of waits. */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field fields[] = {
	HTML_FIELD("kind", "kind", TEXT),
	HTML_FIELD("name", "object", TEXT),
	HTML_FIELD("operation", "operation", TEXT),
	HTML_FIELD("count", "ended", COUNT),
	HTML_FIELD("wait_seconds", "waiting", SECONDS, .has_bar = true),
	HTML_FIELD("p50_seconds", "half", SECONDS, .grade = "p50_grade"),
	HTML_FIELD("p90_seconds", "90 %", SECONDS, .grade = "p90_grade"),
	HTML_FIELD("p99_seconds", "99 %", SECONDS, .grade = "p99_grade"),
	HTML_FIELD("longest_seconds", "longest", SECONDS),
};

void html_waits(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "Lengths of waits, the most waiting first", HTML_ALL(fields),
			json, report->top, NULL);
}
