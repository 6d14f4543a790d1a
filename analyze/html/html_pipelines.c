/* SPDX-License-Identifier: MIT */
/* Processes that pass data to each other, and what they pass it through. */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field verdict_fields[] = {
	HTML_FIELD("pipeline", "no.", COUNT),
	HTML_FIELD("stages", "stages", COUNT),
	HTML_FIELD("connections", "connections", COUNT),
	HTML_FIELD("elapsed_seconds", "elapsed", SECONDS, .has_bar = true),
	HTML_FIELD("verdict", "verdict", TEXT),
	HTML_FIELD("text", "who waits for whom", TEXT),
};

static const struct html_field stage_fields[] = {
	HTML_FIELD("pipeline", "no.", COUNT),
	HTML_FIELD("pid", "pid", COUNT),
	HTML_FIELD("elapsed_seconds", "elapsed", SECONDS),
	HTML_FIELD("busy_percent", "busy", PERCENT, .has_bar = true, .most = 100),
	HTML_FIELD("ready_percent", "ready", PERCENT),
	HTML_FIELD("read_wait_percent", "to read", PERCENT, .grade = "grade", .has_bar = true,
		   .most = 100),
	HTML_FIELD("write_wait_percent", "to write", PERCENT, .grade = "grade", .has_bar = true,
		   .most = 100),
	HTML_FIELD("events_percent", "events", PERCENT, .grade = "grade"),
	HTML_FIELD("outside_percent", "outside", PERCENT, .grade = "grade"),
	HTML_FIELD("other_percent", "other", PERCENT, .grade = "grade"),
	HTML_FIELD("threads", "threads", COUNT, .is_quiet = true),
	HTML_FIELD("host", "host", TEXT),
	HTML_FIELD("command", "command", TEXT),
};

static const struct html_field connection_fields[] = {
	HTML_FIELD("pipeline", "no.", COUNT),
	HTML_FIELD("from", "from", TEXT),
	HTML_FIELD("to", "to", TEXT),
	HTML_FIELD("kind", "by", TEXT),
	HTML_FIELD("name", "name", TEXT),
	HTML_FIELD("writes", "writes", COUNT),
	HTML_FIELD("bytes_written", "written", SIZE),
	HTML_FIELD("write_wait_seconds", "waiting to write", SECONDS, .has_bar = true),
	HTML_FIELD("write_wait_percent", "share", PERCENT),
	HTML_FIELD("reads", "reads", COUNT),
	HTML_FIELD("bytes_read", "read", SIZE),
	HTML_FIELD("read_wait_seconds", "waiting to read", SECONDS, .has_bar = true),
	HTML_FIELD("read_wait_percent", "share", PERCENT),
};

void html_pipelines(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "Pipelines, the most waiting first", HTML_ALL(verdict_fields),
			html_json_at(json, "pipelines"), report->top, NULL);
	html_json_table(report->out, "Stages, in the order in which data flows",
			HTML_ALL(stage_fields), html_json_at(json, "stages"), report->top, NULL);
}

void html_connections(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "Pipes and sockets between processes",
			HTML_ALL(connection_fields), html_json_at(json, "connections"), report->top,
			NULL);
}
