/* SPDX-License-Identifier: MIT */
/* The call tree as a table: callers above what they call. The flame graph shows the same as boxes.
 */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field fields[] = {
	HTML_FIELD("row", "row", COUNT),
	HTML_FIELD("parent", "called by row", COUNT, .is_quiet = true),
	HTML_FIELD("routine", "routine", TEXT),
	HTML_FIELD("total_seconds", "total", SECONDS, .has_bar = true),
	HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true),
	HTML_FIELD("folded_calls", "folded", COUNT, .is_quiet = true),
};

static void print_rows(const struct report *report, const char *caption, struct json_object *json)
{
	html_json_table(report->out, caption, HTML_ALL(fields), html_json_at(json, "rows"),
			report->top, NULL);
}

void html_tree(const struct report *report, struct json_object *json)
{
	print_rows(report, "Call paths with CPU time, callers above what they call", json);
}

void html_wait_tree(const struct report *report, struct json_object *json)
{
	print_rows(report, "Call paths with waits, callers above what they call", json);
}
