/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field fields[] = {
	HTML_FIELD("rank", "rank", COUNT, .is_quiet = true),
	HTML_FIELD("pid", "pid", COUNT),
	HTML_FIELD("sequence", "image", COUNT),
	HTML_FIELD("parent_pid", "parent", COUNT),
	HTML_FIELD("elapsed_seconds", "elapsed", SECONDS, .has_bar = true),
	HTML_FIELD("cpu_seconds", "CPU", SECONDS, .has_bar = true),
	HTML_FIELD("memory_peak_bytes", "memory", SIZE, .has_bar = true),
	HTML_FIELD("read_bytes", "read", SIZE, .has_bar = true),
	HTML_FIELD("written_bytes", "written", SIZE, .has_bar = true),
	HTML_FIELD("threads", "threads", COUNT),
	HTML_FIELD("status", "status", TEXT),
	HTML_FIELD("host", "host", TEXT),
	HTML_FIELD("command", "command", TEXT),
};

void html_processes(const struct report *report, struct json_object *json)
{
	html_json_table(report->out, "Process images, in the order of their starts",
			HTML_ALL(fields), json, report->top, NULL);
}
