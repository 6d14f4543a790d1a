/* SPDX-License-Identifier: MIT */
/* The source lines at which most time was spent. */
#include "analyze/html/html_line_events.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"

static const struct html_field fields[] = {
	HTML_FIELD("routine", "line", PLACE),
	HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("error_percent", "error", PERCENT, .is_quiet = true),
	HTML_FIELD("self_percent", "share", PERCENT, .is_quiet = true),
	HTML_FIELD("total_seconds", "total", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("alone_seconds", "alone", SECONDS, .is_quiet = true),
	HTML_FIELD("max_seconds", "most", SECONDS, .hint = "max_at", .is_quiet = true),
	HTML_FIELD("wait_seconds", "waits", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("openmp_wait_seconds", "OpenMP waits", SECONDS, .has_bar = true,
		   .is_quiet = true),
	HTML_FIELD("mpi_seconds", "MPI", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("blame_seconds", "blame", SECONDS, .has_bar = true, .is_quiet = true),
};

void html_lines(const struct report *report, struct json_object *json)
{
	struct html_fields all = {0};

	html_fields_add(&all, HTML_ALL(fields));
	html_fields_add_events(&all, json, &report->run, 1, NULL);
	html_json_table(report->out, "Source lines, those at which most time was spent first",
			all.list, all.count, json, report->top, NULL);
	html_fields_clear(&all);
}
