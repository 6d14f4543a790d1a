/* SPDX-License-Identifier: MIT */
/* What to read first: the run in a few figures, what to fix, and what could not be seen. */
#include "analyze/base/memory.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_picture.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_openmp.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "1.56 of 2" */
static char *processors_text(const struct run *run, struct json_object *json)
{
	char *used = text_number(run->average_processors);
	char *all = html_json_text(html_json_at(json, "processors"), HTML_COUNT);
	char *text = memory_print("%s of %s", used, all);

	free(used);
	free(all);
	return text;
}

/* What a page has besides: the command is its heading, the efficiency stands in large type, and
 * what to fix first is the first finding, if findings are on the page. */
static struct report_facts facts_of(const struct report *report, bool has_findings)
{
	struct report_facts facts = html_facts_without(report_overview_facts(report), "command");

	facts = html_facts_without(facts, "efficiency");
	return has_findings ? html_facts_without(facts, "fix first") : facts;
}

/* As in the text: without start and end of MPI, where that is known. */
static char *parallel_of_job(const struct mpi *mpi)
{
	const struct mpi_efficiency *efficiency =
		mpi->between.is_known ? &mpi->between.useful : &mpi->efficiency;

	return text_graded(text_percent(100 * efficiency->parallel), efficiency->grade, true);
}

static void print_figures(const struct report *report, struct json_object *json)
{
	const struct run *run = report->run;
	FILE *out = report->out;

	html_figures_begin(out);
	html_figure(out, text_percent(run->efficiency_percent), "efficiency");
	html_figure(out, processors_text(run, json), "processors in use");
	html_figure(out, text_seconds((double)run->elapsed_ns), "elapsed");
	html_figure(out, text_seconds((double)run->cpu_ns), "CPU time");
	if (run->mpi.ranks.count)
		html_figure(out, parallel_of_job(&run->mpi), "parallel efficiency, MPI");
	if (run->omp.is_used && report_openmp_has_teams(&run->omp))
		html_figure(out, text_percent(100 * run->omp.efficiency.parallel),
			    "parallel efficiency, OpenMP");
	html_figures_end(out);
}

void html_overview(const struct report *report, struct json_object *json)
{
	print_figures(report, json);
	html_facts(report->out, facts_of(report, false), NULL);
}

void html_overview_before_findings(const struct report *report, struct json_object *json)
{
	print_figures(report, json);
	html_facts(report->out, facts_of(report, true), NULL);
}

void html_overview_with_picture(const struct report *report, struct json_object *json)
{
	print_figures(report, json);
	html_picture(report);
	html_facts(report->out, facts_of(report, true), NULL);
}

void html_about(const struct report *report, struct json_object *json)
{
	(void)json;
	html_facts(report->out, report_overview_facts(report), NULL);
}

/* "routine f (x.c:12) 99 %", or if it is spread "of 4, no thread has more than 29 %". */
static void print_step(FILE *out, struct json_object *step, bool is_spread)
{
	const char *level = json_object_get_string(html_json_at(step, "level"));
	const char *name = json_object_get_string(html_json_at(step, "name"));
	char *share = html_json_text(html_json_at(step, "share_percent"), HTML_PERCENT);
	char *among = html_json_text(html_json_at(step, "among"), HTML_COUNT);
	const char *words[] = {"of ", among, ", no ", level ? level : "part", " has more than "};

	for (size_t i = 0; is_spread && i < sizeof words / sizeof *words; i++)
		html_text(out, words[i]);
	if (!is_spread) {
		html_text(out, level);
		fputc(' ', out);
		html_anchored(out, json_object_get_string(html_json_at(step, "anchor")), name);
		fputc(' ', out);
	}
	html_text(out, share);
	free(share);
	free(among);
}

/* The steps by which a cause was narrowed down. */
static void print_steps(FILE *out, struct json_object *finding)
{
	struct json_object *where = html_json_at(finding, "where"),
			   *spread = html_json_at(finding, "spread");
	size_t count = html_json_count(where), all = count + html_json_count(spread);

	for (size_t i = 0; i < all; i++) {
		bool is_spread = i >= count;

		fputs(i ? "; " : "<p class=\"where\">where: ", out);
		print_step(out,
			   is_spread ? html_json_element(spread, i - count)
				     : html_json_element(where, i),
			   is_spread);
	}
	if (all)
		fputs("</p>\n", out);
}

/* The heading with the possible gain in elapsed time, if the finding has one. */
static char *heading_of(struct json_object *finding)
{
	const char *title = json_object_get_string(html_json_at(finding, "title"));
	const char *kind = json_object_get_string(html_json_at(finding, "kind"));
	const char *prefix = kind && !strcmp(kind, "symptom") ? "symptom: " : "";

	if (!(html_json_figure(finding, "elapsed_seconds", 0) > 0))
		return memory_print("%s%s", prefix, title);
	char *seconds = html_json_text(html_json_at(finding, "elapsed_seconds"), HTML_SECONDS);
	char *text = memory_print("%s%s (up to %s elapsed)", prefix, title, seconds);

	free(seconds);
	return text;
}

/* The stake as a share of the elapsed time. A caveat has none, and shows a word instead. */
static void print_severity(FILE *out, struct json_object *finding)
{
	static const struct html_box whole = {0, 0, 100, 5};
	const char *kind = json_object_get_string(html_json_at(finding, "kind"));
	struct json_object *share = html_json_at(finding, "elapsed_percent");
	struct html_box part = whole;
	char *severity = text_graded(html_json_text(share, HTML_PERCENT),
				     html_json_grade(finding, "grade"), true);

	part.width = fmin(100, html_json_figure(finding, "elapsed_percent", 0));
	if (kind && !strcmp(kind, "caveat")) {
		html_element(out, "span", "severity", "note");
	} else {
		html_element(out, "span", "severity", severity);
		html_svg_begin(out, "severity-bar", severity, whole.height);
		html_svg_rect(out, "track", whole, NULL);
		html_svg_rect(out, "severe", part, NULL);
		html_svg_end(out);
	}
	free(severity);
}

static void print_finding(FILE *out, struct json_object *finding)
{
	char *heading = heading_of(finding);

	fputs("<li>\n<div>", out);
	print_severity(out, finding);
	fputs("</div>\n<div>", out);
	html_element(out, "h3", NULL, heading);
	html_element(out, "p", NULL, json_object_get_string(html_json_at(finding, "evidence")));
	print_steps(out, finding);
	html_element(out, "p", "advice", json_object_get_string(html_json_at(finding, "advice")));
	fputs("</div>\n</li>\n", out);
	free(heading);
}

void html_findings(const struct report *report, struct json_object *json)
{
	const char *nothing = report_nothing_to_fix(report);
	size_t count = html_json_count(json);

	if (nothing)
		html_element(report->out, "p", "none", nothing);
	if (!count)
		return;
	fputs("<ol class=\"findings\">\n", report->out);
	for (size_t i = 0; i < count; i++)
		print_finding(report->out, html_json_element(json, i));
	fputs("</ol>\n", report->out);
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
			     json_object_get_string(html_json_element(json, i)));
	fputs("</ul>\n", report->out);
	html_more(report->out, count - report_rows(report, count));
}
