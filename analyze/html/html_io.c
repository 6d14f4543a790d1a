/* SPDX-License-Identifier: MIT */
/* Calls of input and output, and their waits. */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field fields[] = {
	HTML_FIELD("name", "object", TEXT),
	HTML_FIELD("kind", "kind", TEXT),
	HTML_FIELD("operation", "operation", TEXT),
	HTML_FIELD("processes", "processes", COUNT),
	HTML_FIELD("count", "calls", COUNT),
	HTML_FIELD("failed", "failed", COUNT, .is_quiet = true),
	HTML_FIELD("bytes", "bytes", SIZE, .has_bar = true),
	HTML_FIELD("bytes_per_call", "each", SIZE),
	HTML_FIELD("bytes_per_second", "per second", SIZE),
	HTML_FIELD("waits", "waited", COUNT),
	HTML_FIELD("wait_seconds", "waiting", SECONDS, .has_bar = true),
	HTML_FIELD("wait_mean_seconds", "mean", SECONDS, .is_quiet = true),
	HTML_FIELD("wait_max_seconds", "longest", SECONDS, .is_quiet = true),
};

static const struct html_field sum_fields[] = {
	HTML_FIELD("calls", "calls", COUNT),
	HTML_FIELD("failed", "failed", COUNT),
	HTML_FIELD("bytes_read", "read", SIZE),
	HTML_FIELD("bytes_written", "written", SIZE),
	HTML_FIELD("bytes_moved", "moved", SIZE),
	HTML_FIELD("waits", "waited", COUNT),
	HTML_FIELD("wait_seconds", "waiting", SECONDS),
};

void html_io(const struct report *report, struct json_object *json)
{
	struct json_object *sums = json_object_new_array();

	json_object_array_add(sums, json_object_get(json));
	html_json_table(report->out, "All input and output", HTML_ALL(sum_fields), sums, 0, NULL);
	json_object_put(sums);
	html_json_table(report->out, "Objects, the most waiting first", HTML_ALL(fields),
			html_json_at(json, "rows"), report->top, NULL);
}
