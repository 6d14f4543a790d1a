/* SPDX-License-Identifier: MIT */
/* ptrace-report: reads a run, computes its model, prints it. */
#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/html/html_report.h"
#include "analyze/model/run/run_create.h"
#include "analyze/model/run/run_units.h"
#include "analyze/print/output.h"
#include "analyze/print/pager.h"
#include "analyze/programs/incomplete.h"
#include "analyze/programs/run_listing.h"
#include "analyze/programs/side_by_side.h"
#include "analyze/programs/source_asked.h"
#include "analyze/read/run_program.h"
#include "analyze/read/run_read.h"
#include "analyze/report/report_options.h"
#include "analyze/report/report_print.h"
#include "analyze/report/report_remarks.h"
#include "analyze/report/report_within.h"
#include "common/nearest_names.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_DEFAULT 100

static bool may_colour(FILE *out)
{
	const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no_colour && *no_colour) && terminal &&
	       strcmp(terminal, "dumb");
}

/* What was asked for by name must exist. */
static void check_source(const struct run *run, const struct source_query *query)
{
	struct source_lines lines = source_lines_of(run);

	source_asked_check(run, &lines, query);
	source_lines_clear(&lines);
}

/* What every report is given, but for its run and where it is printed. */
static struct report report_like(const struct report_options *options)
{
	return (struct report){
		.top = options->sort ? 0 : options->top,
		.sorted_top = options->top,
		.sort = options->sort,
		.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.is_explained = options->is_explained,
		.is_by_process = options->by == REPORT_BY_PROCESS,
		.within = options->within,
	};
}

/* "x.html" of the run "runs/x"; released by the caller. NULL: standard output. */
static char *output_of(const struct run *run, const struct report_options *options)
{
	if (options->output || !options->is_page)
		return options->output ? memory_copy_text(options->output) : NULL;
	char *name = memory_copy_text(run->files->directory);
	size_t length = strlen(name);

	while (length > 1 && name[length - 1] == '/')
		name[--length] = '\0';
	const char *slash = strrchr(name, '/');
	char *page = memory_print("%s.html", slash ? slash + 1 : name);

	free(name);
	return page;
}

static void print_text(const struct report *report, const struct report_options *options,
		       const char *sections)
{
	char *text = report_text(report, sections, options->is_top_given ? 0 : LINES_DEFAULT);

	pager_print(report->out, text);
	free(text);
}

static void print_report(const struct run *run, const struct report_options *options,
			 const char *sections)
{
	const struct source_query query = source_asked_of(options);
	struct source_texts *texts = options->has_source ? source_asked_texts(options, run) : NULL;
	struct report report = report_like(options);

	if (query.routine || query.file)
		check_source(run, &query);
	char *path = output_of(run, options);
	FILE *out = output_open(path);

	report.run = run;
	report.findings = findings_of(run);
	if (options->within)
		findings_keep(&report.findings, report_within_is_found);
	report.out = out;
	report.width = output_columns(out, options->width);
	report.is_coloured = may_colour(out);
	report.source = options->has_source ? &query : NULL;
	report.source_texts = texts;
	switch (options->format) {
	case REPORT_TEXT:
		print_text(&report, options, sections);
		break;
	case REPORT_JSON:
		report_print_json(&report, sections);
		break;
	case REPORT_CSV:
		report_print_csv(&report, sections);
		break;
	case REPORT_HTML:
		html_report_print(&report, sections);
		break;
	case REPORT_QUICKFIX:
		report_print_quickfix(&report);
		break;
	case REPORT_DIAGNOSTICS:
		report_print_diagnostics(&report);
		break;
	case REPORT_SUMMARY:
		report_print_summary(&report);
		break;
	}
	findings_clear(&report.findings);
	source_texts_destroy(texts);
	output_close(out, path);
	if (options->is_page && !options->output)
		printf("%s\n", path);
	free(path);
}

/* The summary line says nothing about causes. */
static unsigned wants_of(const struct report_options *options)
{
	return (options->by == REPORT_BY_PROCESS ? RUN_BY_PROCESS : 0) |
	       (options->format == REPORT_SUMMARY ? 0 : RUN_PATHS);
}

static void check_within_files(const struct run_files *files, const char *within)
{
	if (files->merged_count)
		die("--within %s: a merged run does not have the marks of sections, only its profiles do",
		    within);
}

/* What was asked for by name must exist. */
static void check_within(const struct run *run, const char *within)
{
	struct nearest_names names;
	char meant[NEAREST_MAX * NEAREST_NAME_SIZE];

	if (run->files->has_section)
		return;
	nearest_begin(&names, within);
	for (size_t i = 0; i < run->sections.count; i++)
		if (!section_is_rest(&run->sections.rows[i]))
			nearest_offer(&names, run->sections.rows[i].name);
	if (nearest_text(&names, meant, sizeof meant))
		die("--within %s: the run has no such section: did you mean %s?", within, meant);
	die("--within %s: the run has no such section: ptrace-report sections lists them", within);
}

static int print_run(const struct report_options *options)
{
	char *problem;
	struct run_files *files = run_files_open(options->run, &problem);

	if (!files || (options->program && !run_keep_program(files, options->program, &problem)))
		die("%s", problem);
	if (options->within)
		check_within_files(files, options->within);
	files->section = options->within;
	struct symbolizer *symbolizer = symbolizer_create(options->symbols);
	struct run *run = run_create(files, symbolizer, wants_of(options));

	if (options->within)
		check_within(run, options->within);
	if (options->per && (problem = run_count_units(run, options->per)))
		die("--per %s: %s", options->per, problem);
	progress_erase();
	bool is_wanted = !options->is_for_stuck || run->stuck.verdict_count;

	char *of_part = options->within && !options->sections ? report_within_names(run) : NULL;

	if (is_wanted)
		print_report(run, options, of_part ? of_part : options->sections);
	free(of_part);
	int status = is_wanted ? warn_incomplete(run->is_complete, &run->notes) : 0;

	run_destroy(run);
	symbolizer_destroy(symbolizer);
	run_files_destroy(files);
	return status;
}

int main(int count, char **words)
{
	setlocale(LC_CTYPE, "");
	struct report_options options = report_options_read(count, words);
	const struct report like = report_like(&options);

	progress_enable();
	int status = options.is_list         ? run_listing_print(&options, &like)
		     : options.run_count > 1 ? side_by_side_print(&options, &like)
					     : print_run(&options);

	free(options.file);
	return status;
}
