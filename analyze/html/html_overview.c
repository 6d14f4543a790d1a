/* SPDX-License-Identifier: MIT */
/* What to read first: the run in a few figures, what to fix, and what could not be seen. */
#include "analyze/html/html_json.h"
#include "analyze/html/html_page.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>

void html_overview(const struct report *report, struct json_object *json)
{
	const struct run *run = report->run;
	struct report_facts facts = report_overview_facts(report);
	FILE *out = report->out;

	html_figures_begin(out);
	html_figure(out, text_percent(run->efficiency_percent), "efficiency");
	html_figure(out, text_number(run->average_processors), "processors in use");
	html_figure(out, html_json_text(html_json_at(json, "processors"), HTML_COUNT),
		    "processors");
	html_figure(out, text_seconds((double)run->elapsed_ns), "elapsed");
	html_figure(out, text_seconds((double)run->cpu_ns), "CPU time");
	if (run->mpi.ranks.count)
		html_figure(out,
			    text_graded(text_percent(100 * run->mpi.efficiency.parallel),
					run->mpi.efficiency.grade, true),
			    "parallel efficiency, MPI");
	if (run->omp.is_used)
		html_figure(out, text_percent(100 * run->omp.efficiency.parallel),
			    "parallel efficiency, OpenMP");
	html_figures_end(out);
	html_facts(out, &facts);
	report_facts_clear(&facts);
}

static void print_finding(FILE *out, struct json_object *finding)
{
	static const struct html_box whole = {0, 0, 100, 5};
	struct json_object *share = html_json_at(finding, "severity_percent");
	struct html_box part = whole;
	char *severity = html_json_text(share, HTML_PERCENT);

	part.width = fmin(100, json_object_get_double(share));
	fputs("<li>\n<div>", out);
	html_element(out, "span", "severity", severity);
	html_svg_begin(out, "severity-bar", severity, whole.height);
	html_svg_rect(out, "track", whole, NULL);
	html_svg_rect(out, "severe", part, NULL);
	html_svg_end(out);
	fputs("</div>\n<div>", out);
	html_element(out, "h3", NULL, json_object_get_string(html_json_at(finding, "title")));
	html_element(out, "p", NULL, json_object_get_string(html_json_at(finding, "evidence")));
	html_element(out, "p", "advice", json_object_get_string(html_json_at(finding, "advice")));
	fputs("</div>\n</li>\n", out);
	free(severity);
}

void html_findings(const struct report *report, struct json_object *json)
{
	size_t count = html_json_count(json);

	if (!count) {
		html_element(report->out, "p", "none", "nothing to fix");
		return;
	}
	fputs("<ol class=\"findings\">\n", report->out);
	for (size_t i = 0; i < report_rows(report, count); i++)
		print_finding(report->out, json_object_array_get_idx(json, i));
	fputs("</ol>\n", report->out);
	html_more(report->out, count - report_rows(report, count));
}

void html_notes(const struct report *report, struct json_object *json)
{
	size_t count = html_json_count(json);

	if (!count) {
		html_element(report->out, "p", "none", "nothing was left out");
		return;
	}
	fputs("<ul class=\"plain\">\n", report->out);
	for (size_t i = 0; i < report_rows(report, count); i++)
		html_element(report->out, "li", NULL,
			     json_object_get_string(json_object_array_get_idx(json, i)));
	fputs("</ul>\n", report->out);
	html_more(report->out, count - report_rows(report, count));
}
