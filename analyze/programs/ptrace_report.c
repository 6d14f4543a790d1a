/* SPDX-License-Identifier: MIT */
/* ptrace-report: reads a run, computes its model, prints it. */
#include "analyze/base/die.h"
#include "analyze/base/progress.h"
#include "analyze/html/html_report.h"
#include "analyze/model/lines/source_listing.h"
#include "analyze/model/run/run_create.h"
#include "analyze/print/output.h"
#include "analyze/programs/incomplete.h"
#include "analyze/read/run_read.h"
#include "analyze/report/report_options.h"
#include "analyze/report/report_print.h"
#include "analyze/report/report_remarks.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_DEFAULT   100
#define SOURCE_ROUTINES 3 /* that are listed if none was asked for */

static bool may_colour(FILE *out)
{
	const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no_colour && *no_colour) && terminal &&
	       strcmp(terminal, "dumb");
}

/* The start of the first process, ns since 1970; 0: not known. */
static uint64_t begin_of(const struct run *run)
{
	uint64_t first_ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		uint64_t start_ns = run->processes[i].file->header.start_realtime_ns;

		if (!first_ns || (start_ns && start_ns < first_ns))
			first_ns = start_ns;
	}
	return first_ns;
}

/* What was asked for by name must exist. */
static void check_source(const struct run *run, const struct source_query *query)
{
	struct source_lines lines = source_lines_of(run);
	struct source_listing listing = source_listing_of(run, &lines, query, NULL);

	if (!listing.count && query->routine)
		die("--routine %s: the run has no such routine%s%s; --section routines --top 0 lists them",
		    query->routine, query->file ? " in " : "", query->file ? query->file : "");
	if (!listing.count && query->file)
		die("--file %s: the run has no figures of such a file; --section lines --top 0 lists them",
		    query->file);
	source_listing_clear(&listing);
	source_lines_clear(&lines);
}

static void print_report(const struct run *run, const struct report_options *options)
{
	const struct source_query query = {.routine = options->routine,
					   .file = options->file,
					   .line = options->line,
					   .most = SOURCE_ROUTINES};
	struct source_texts *texts =
		options->has_source
			? source_texts_create(options->source_paths.list,
					      options->source_paths.count, begin_of(run))
			: NULL;

	if (query.routine || query.file)
		check_source(run, &query);
	FILE *out = output_open(options->output);
	struct report report = {
		.run = run,
		.findings = findings_of(run),
		.out = out,
		.top = options->top,
		.width = options->width,
		.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.is_coloured = may_colour(out),
		.is_by_process = options->by == REPORT_BY_PROCESS,
		.source = options->has_source ? &query : NULL,
		.source_texts = texts,
	};

	switch (options->format) {
	case REPORT_TEXT:
		report_print_text(&report, options->sections,
				  options->is_top_given ? 0 : LINES_DEFAULT);
		break;
	case REPORT_JSON:
		report_print_json(&report, options->sections);
		break;
	case REPORT_CSV:
		report_print_csv(&report, options->sections);
		break;
	case REPORT_HTML:
		html_report_print(&report, options->sections);
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
	output_close(out, options->output);
}

/* The summary line says nothing about causes. */
static unsigned wants_of(const struct report_options *options)
{
	return (options->by == REPORT_BY_PROCESS ? RUN_BY_PROCESS : 0) |
	       (options->format == REPORT_SUMMARY ? 0 : RUN_PATHS);
}

int main(int count, char **words)
{
	setlocale(LC_CTYPE, "");
	struct report_options options = report_options_read(count, words);
	char *problem;

	progress_enable();
	struct run_files *files = run_files_open(options.run, &problem);

	if (!files)
		die("%s", problem);
	struct symbolizer *symbolizer = symbolizer_create(options.symbols);
	struct run *run = run_create(files, symbolizer, wants_of(&options));

	progress_erase();
	print_report(run, &options);
	int status = warn_incomplete(run->is_complete, &run->notes);

	run_destroy(run);
	symbolizer_destroy(symbolizer);
	run_files_destroy(files);
	free(options.file);
	return status;
}
