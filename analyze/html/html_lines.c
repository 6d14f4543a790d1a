/* SPDX-License-Identifier: MIT */
/* The source lines at which most time was spent, and source beside its figures. */
#include "analyze/base/memory.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"

#include <stdlib.h>

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
	html_json_table(report->out, "Source lines, those at which most time was spent first",
			HTML_ALL(fields), json, report->top, NULL);
}

/* ---- source */

static const struct html_field figures[] = {
	HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("self_percent", "share", PERCENT, .is_quiet = true),
	HTML_FIELD("total_seconds", "total", SECONDS, .is_quiet = true),
	HTML_FIELD("alone_seconds", "alone", SECONDS, .is_quiet = true),
	HTML_FIELD("wait_seconds", "waits", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("openmp_wait_seconds", "OpenMP waits", SECONDS, .has_bar = true,
		   .is_quiet = true),
	HTML_FIELD("mpi_seconds", "MPI", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("blame_seconds", "blame", SECONDS, .has_bar = true, .is_quiet = true),
	HTML_FIELD("line", "line", COUNT, .is_quiet = true),
	HTML_FIELD("text", "source", CODE),
};

static void print_block(const struct report *report, struct json_object *block)
{
	const char *routine = json_object_get_string(html_json_at(block, "routine"));
	const char *path = json_object_get_string(html_json_at(block, "path"));
	const char *problem = json_object_get_string(html_json_at(block, "problem"));
	const char *file = path ? path : json_object_get_string(html_json_at(block, "file"));
	char *caption =
		memory_print("%s%s%s%s%s", routine ? routine : "", routine && file ? ", " : "",
			     file ? file : "", problem ? ": " : "", problem ? problem : "");

	html_json_table(report->out, caption, HTML_ALL(figures), html_json_at(block, "lines"), 0,
			NULL);
	free(caption);
}

void html_source(const struct report *report, struct json_object *json)
{
	if (!html_json_count(json))
		html_element(report->out, "p", NULL, "no source lines are known");
	for (size_t i = 0; i < html_json_count(json); i++)
		print_block(report, html_json_element(json, i));
}
