/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field verdict_fields[] = {
	HTML_FIELD("kind", "kind", TEXT),
	HTML_FIELD("confidence", "confidence", TEXT),
	HTML_FIELD("text", "who waits for whom", TEXT),
};

static const struct html_field wait_fields[] = {
	HTML_FIELD("rank", "rank", COUNT, .is_quiet = true),
	HTML_FIELD("pid", "pid", COUNT),
	HTML_FIELD("tid", "tid", COUNT),
	HTML_FIELD("name", "name", TEXT),
	HTML_FIELD("state", "state", TEXT),
	HTML_FIELD("wait_seconds", "for", SECONDS, .has_bar = true),
	HTML_FIELD("call", "in", TEXT),
	HTML_FIELD("object", "object", TEXT),
	HTML_FIELD("whom", "whom", TEXT),
	HTML_FIELD("place", "at", TEXT),
	HTML_FIELD("host", "host", TEXT),
};

void html_stuck(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "What does not end", HTML_ALL(verdict_fields),
			html_json_at(json, "verdicts"), report->top, NULL);
	html_json_table(report->out, "Threads that live, and their waits", HTML_ALL(wait_fields),
			html_json_at(json, "waits"), report->top, NULL);
}
