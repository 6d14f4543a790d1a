/* SPDX-License-Identifier: MIT */
#include "analyze/programs/side_by_side.h"

#include "analyze/base/die.h"
#include "analyze/base/progress.h"
#include "analyze/html/html_report.h"
#include "analyze/model/run/run_create.h"
#include "analyze/print/json.h"
#include "analyze/print/output.h"
#include "analyze/programs/source_asked.h"
#include "analyze/read/run_read.h"

#define STATUS_INCOMPLETE 1

struct runs {
	struct run_files *files[REPORT_RUNS_MOST];
	struct run *models[REPORT_RUNS_MOST];
	struct source_texts *texts[REPORT_RUNS_MOST + 1]; /* the last: of all runs */
	struct symbolizer *symbolizer;
	size_t count;
};

static void read_runs(struct runs *runs, const struct report_options *options)
{
	static const struct run none;

	runs->symbolizer = symbolizer_create(options->symbols);
	runs->count = options->run_count;
	for (size_t i = 0; i < runs->count; i++) {
		char *problem;

		runs->files[i] = run_files_open(options->runs[i], &problem);
		if (!runs->files[i])
			die("%s", problem);
		runs->models[i] = run_create(runs->files[i], runs->symbolizer, 0);
		runs->texts[i] = source_asked_texts(options, runs->models[i]);
	}
	runs->texts[runs->count] = source_asked_texts(options, &none);
}

static void clear_runs(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		run_destroy(runs->models[i]);
		run_files_destroy(runs->files[i]);
	}
	for (size_t i = 0; i <= runs->count; i++)
		source_texts_destroy(runs->texts[i]);
	symbolizer_destroy(runs->symbolizer);
}

static void print(const struct report_runs *runs, const struct report_options *options)
{
	struct json_object *root;

	switch (options->format) {
	case REPORT_JSON:
		root = report_runs_json(runs, options->sections, false);
		json_print(runs->report->out, root);
		json_object_put(root);
		break;
	case REPORT_CSV:
		report_runs_csv(runs, options->sections);
		break;
	case REPORT_HTML:
		html_runs_print(runs, options->sections);
		break;
	default:
		report_runs_text(runs, options->sections);
	}
}

static int warn_incomplete_runs(const struct runs *runs)
{
	int status = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->models[i];

		if (run->is_complete)
			continue;
		warn_line("the run %s is incomplete: %s", run->files->directory,
			  run->notes.count ? run->notes.texts[0] : "reason unknown");
		status = STATUS_INCOMPLETE;
	}
	return status;
}

int side_by_side_print(const struct report_options *options, const struct report *like)
{
	struct runs runs;

	read_runs(&runs, options);
	struct united_lines united =
		united_lines_of((const struct run *const *)runs.models, runs.count);
	const struct source_query query = source_asked_of(options);
	struct report report = *like;
	const struct report_runs shown = {&report, &united, runs.texts, &query};

	progress_erase();
	if (query.routine || query.file)
		source_asked_check(&united.run, &united.lines, &query);
	report.out = output_open(options->output);
	report.width = output_columns(report.out, options->width);
	print(&shown, options);
	output_close(report.out, options->output);
	int status = warn_incomplete_runs(&runs);

	united_lines_clear(&united);
	clear_runs(&runs);
	return status;
}
