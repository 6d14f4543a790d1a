/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_report.h"

#include "analyze/base/memory.h"
#include "analyze/html/html_line_events.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/print/json.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	const char *path, *title;
} figures[] = {{"self_seconds", "self"},
	       {"wait_seconds", "waits"},
	       {"openmp_wait_seconds", "OpenMP waits"},
	       {"mpi_seconds", "MPI"},
	       {"blame_seconds", "blame"}};

enum { FIGURES = sizeof figures / sizeof *figures };

static const struct html_field run_fields[] = {
	HTML_FIELD("run", "run", COUNT),
	HTML_FIELD("directory", "directory", TEXT),
	HTML_FIELD("command", "command", TEXT),
	HTML_FIELD("start", "started", TEXT),
	HTML_FIELD("elapsed_seconds", "elapsed", SECONDS),
	HTML_FIELD("cpu_seconds", "CPU time", SECONDS),
};

static double largest_of(struct json_object *rows, const char *path)
{
	double largest = 0;

	for (size_t i = 0; i < html_json_count(rows); i++)
		largest = fmax(largest, html_json_figure(html_json_element(rows, i), path, 0));
	return largest;
}

/* The columns of a table, by figure: what is to be compared stands side by side, and its bars have
 * one scale. */
static void add_figures(struct html_fields *fields, const struct report_runs *of,
			struct json_object *rows, struct json_object *problems)
{
	size_t runs = of->united->run_count;

	for (size_t f = 0; f < FIGURES; f++) {
		size_t first = fields->count;
		double most = 0;

		for (size_t run = 1; run <= runs; run++) {
			char *path = memory_print("runs.%zu.%s", run, figures[f].path);
			const char *mark = html_json_element(problems, run - 1) ? "?" : "";
			char *title = memory_print("%s %zu%s", figures[f].title, run, mark);
			const struct html_field field = {
				.path = html_fields_keep(fields, path),
				.title = html_fields_keep(fields, title),
				.format = HTML_SECONDS,
				.is_quiet = true,
				.has_bar = true,
			};

			html_fields_add(fields, &field, 1);
			most = fmax(most, largest_of(rows, path));
		}
		for (size_t i = first; i < fields->count; i++)
			fields->list[i].most = most;
	}
	html_fields_add_events(fields, rows, of->united->runs, runs, problems);
}

static void print_lines(const struct report_runs *runs, struct json_object *rows)
{
	static const struct html_field place = HTML_FIELD("routine", "line", PLACE);
	const struct report *report = runs->report;
	struct html_fields fields = {0};

	html_fields_add(&fields, &place, 1);
	add_figures(&fields, runs, rows, NULL);
	html_json_table(report->out, "Source lines, those with the most time in all runs first",
			fields.list, fields.count, rows, report->top, NULL);
	html_fields_clear(&fields);
}

/* Which runs the source does not fit. */
static void print_problems(FILE *out, struct json_object *problems)
{
	for (size_t i = 0; i < html_json_count(problems); i++) {
		const char *problem = json_object_get_string(html_json_element(problems, i));
		char *text = problem ? memory_print("It is not the source of run %zu: it %s", i + 1,
						    problem)
				     : NULL;

		if (text)
			html_element(out, "p", "bad", text);
		free(text);
	}
}

static void print_block(const struct report_runs *runs, struct json_object *block)
{
	static const struct html_field line = HTML_FIELD("line", "line", LINE);
	static const struct html_field source = HTML_FIELD("text", "source", CODE);
	FILE *out = runs->report->out;
	const char *routine = json_object_get_string(html_json_at(block, "routine"));
	const char *path = json_object_get_string(html_json_at(block, "path"));
	const char *problem = json_object_get_string(html_json_at(block, "problem"));
	const char *file = path ? path : json_object_get_string(html_json_at(block, "file"));
	struct json_object *rows = html_json_at(block, "lines");
	struct html_fields fields = {0};
	char *caption = memory_print("%s%s%s%s%s", routine ? routine : "", routine ? ", " : "",
				     file ? file : "its source is not known", problem ? ": " : "",
				     problem ? problem : "");

	html_fields_add(&fields, &line, 1);
	add_figures(&fields, runs, rows, html_json_at(block, "problems"));
	html_fields_add(&fields, &source, 1);
	print_problems(out, html_json_at(block, "problems"));
	html_json_table(out, caption, fields.list, fields.count, rows, 0, NULL);
	html_fields_clear(&fields);
	free(caption);
}

static void print_section(const struct report_runs *runs, struct json_object *root,
			  const struct html_link *link)
{
	FILE *out = runs->report->out;
	struct json_object *list = html_json_at(root, link->id);

	html_section_begin(out, link, "a column of figures for each run, numbered as above", NULL);
	if (*link->id == 'l')
		print_lines(runs, list);
	else
		for (size_t i = 0; i < html_json_count(list); i++)
			print_block(runs, html_json_element(list, i));
	html_section_end(out);
}

void html_runs_print(const struct report_runs *runs, const char *names)
{
	static const struct html_link sections[] = {
		{"runs", "Runs"}, {"lines", "Source lines"}, {"source", "Source"}};
	struct report_runs all = *runs;
	struct report report = *runs->report;
	struct html_link links[3];
	struct html_page page = {"Several runs side by side", NULL, "ptrace-report " PTRACE_VERSION,
				 links, 0};

	report.top = 0; /* pages say how many rows they leave out */
	all.report = &report;
	struct json_object *root = report_runs_json(&all, names, true);

	for (size_t i = 0; i < 3; i++)
		if (html_json_at(root, sections[i].id))
			links[page.link_count++] = sections[i];
	html_page_begin(report.out, &page);
	html_section_begin(report.out, &links[0], "what is compared", NULL);
	html_json_table(report.out, "Runs", HTML_ALL(run_fields), html_json_at(root, "runs"), 0,
			NULL);
	html_section_end(report.out);
	for (size_t i = 1; i < page.link_count; i++)
		print_section(runs, root, &links[i]);
	html_page_end(report.out, &page);
	json_object_put(root);
}
