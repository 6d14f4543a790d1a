/* SPDX-License-Identifier: MIT */
/* Exact calls of instrumented routines. */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field fields[] = {
	HTML_FIELD("name", "routine", PLACE),
	HTML_FIELD("calls", "calls", COUNT),
	HTML_FIELD("sequential", "sequential", COUNT, .is_quiet = true),
	HTML_FIELD("open", "open", COUNT, .is_quiet = true),
	HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true),
	HTML_FIELD("total_seconds", "total", SECONDS, .has_bar = true),
	HTML_FIELD("call_seconds", "per call", SECONDS),
	HTML_FIELD("threads_started", "threads", COUNT, .is_quiet = true),
	HTML_FIELD("started_seconds", "started", SECONDS, .is_quiet = true),
};

void html_calls(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "Exact calls, the most self time first", HTML_ALL(fields),
			json, report->top, NULL);
}
