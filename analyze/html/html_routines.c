/* SPDX-License-Identifier: MIT */
/* Where the CPU time went: by call path, and by routine. */
#include "analyze/html/html_flame.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

#define FIELDS 13

void html_routines(const struct report *report, struct json_object *json)
{
	const struct html_field fields[FIELDS] = {
		HTML_FIELD("name", "routine", PLACE),
		HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true),
		HTML_FIELD("error_percent", "error", PERCENT, .is_quiet = true),
		HTML_FIELD("self_percent", "share", PERCENT),
		HTML_FIELD("total_seconds", "total", SECONDS, .has_bar = true),
		HTML_FIELD("elapsed_total_seconds", "+waits", SECONDS),
		HTML_FIELD("elapsed_seconds", "elapsed", SECONDS, .has_bar = true),
		HTML_FIELD("alone_seconds", "alone", SECONDS),
		HTML_FIELD("average_concurrency", "average", NUMBER),
		HTML_FIELD("samples", "samples", COUNT),
		HTML_FIELD("threads", report->is_by_process ? "processes" : "threads", COUNT),
		HTML_FIELD("mean_seconds", "mean", SECONDS),
		HTML_FIELD("max_seconds", "most", SECONDS, .hint = "max_at"),
	};

	html_flame_print(report);
	html_json_table(report->out, "Routines, the most self time first", fields, FIELDS, json,
			report->top, NULL);
}
