/* SPDX-License-Identifier: MIT */
/* Outputs made of several runs: comparisons, scaling, and one merged run. */
#include "analyze/base/memory.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/metrics.h"
#include "analyze/export/export_extrap.h"
#include "analyze/model/run/run_create.h"
#include "analyze/programs/merge_run.h"
#include "analyze/read/profile_read.h"
#include "analyze/scaling/scaling_compute.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/tables/merged.h"
#include "tests/fuzz/fuzz_prints.h"
#include "tests/fuzz/fuzz_sink.h"
#include "tests/programs/profile_scenes.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- ptrace-diff */

static struct run_files *scene_files(const char *name)
{
	struct run_files *files = run_files_create(name);
	char *problem = NULL;
	size_t size;
	unsigned char *bytes = scene_make(name, &size);

	run_files_add_profile(files, profile_parse(name, bytes, size, &problem));
	files->now_ns = 1;
	return files;
}

static struct side_run scene_side(const struct fuzz_subject *subject)
{
	const char *name = scenes[subject->choice % scene_count].name;
	struct run_files *files = scene_files(name);
	struct run *run = run_create(files, subject->symbolizer, RUN_PATHS);
	struct side_run side = side_run_of("scene", run);

	run_destroy(run);
	run_files_destroy(files);
	return side;
}

static void compare(struct fuzz_subject *subject, void (*print)(const struct diff *, FILE *),
		    void (*close)(struct fuzz_sink *sink))
{
	static char *paths[] = {(char *)"fuzz", (char *)"fuzz"};
	size_t damaged = subject->choice & 1;
	struct diff_options options = {.runs = {paths, paths + 1},
				       .run_count = {1, 1},
				       .threshold_percent = 1,
				       .metrics = METRICS_DEFAULT,
				       .top = subject->choice & 2 ? 0 : 10,
				       .is_top_given = true,
				       .width = 100};
	struct diff diff = {.options = &options};
	struct fuzz_sink sink;

	for (size_t side = 0; side < 2; side++)
		diff.sides[side] = (struct side){memory_allocate(1, sizeof(struct side_run)), 1};
	*diff.sides[damaged].runs = side_run_of("fuzz", subject->run);
	*diff.sides[!damaged].runs =
		subject->choice & 32 ? side_run_of("fuzz", subject->run) : scene_side(subject);
	diff_compare(&diff);
	fuzz_sink_open(&sink);
	print(&diff, sink.out);
	close(&sink);
	diff_clear(&diff);
}

void fuzz_print_diff_text(struct fuzz_subject *subject)
{
	compare(subject, diff_print_text, fuzz_sink_close);
}

void fuzz_print_diff_json(struct fuzz_subject *subject)
{
	compare(subject, diff_print_json, fuzz_sink_close_json);
}

void fuzz_print_diff_page(struct fuzz_subject *subject)
{
	compare(subject, diff_print_html, fuzz_sink_close_page);
}

void fuzz_print_diff_markdown(struct fuzz_subject *subject)
{
	compare(subject, diff_print_markdown, fuzz_sink_close);
}

void fuzz_print_diff_junit(struct fuzz_subject *subject)
{
	compare(subject, diff_print_junit, fuzz_sink_close);
}

/* ---- ptrace-diff --scaling */

static struct scaling_run scene_scale(const struct fuzz_subject *subject, double p)
{
	struct run_files *files = scene_files("workers");
	struct run *run = run_create(files, subject->symbolizer, RUN_PATHS);
	struct scaling_run it = scaling_run_of(run, p);

	run_destroy(run);
	run_files_destroy(files);
	return it;
}

/* Runs without elapsed time are refused before anything is computed. */
void fuzz_print_scaling(struct fuzz_subject *subject)
{
	enum { RUNS = 4 };
	struct scaling_run *runs;
	struct fuzz_sink text, json, page;

	if (!(scaling_elapsed_ns(subject->run) > 0))
		return;
	runs = memory_allocate(RUNS, sizeof *runs);
	runs[0] = scaling_run_of(subject->run, 1);
	runs[1] = subject->choice & 1 ? scene_scale(subject, 2) : scaling_run_of(subject->run, 2);
	runs[2] = scaling_run_of(subject->run, 4);
	runs[3] = scaling_run_of(subject->run, subject->choice & 2 ? 0 : 8);
	struct scaling scaling = scaling_of(runs, RUNS, subject->choice & 4);

	fuzz_sink_open(&text);
	fuzz_sink_open(&json);
	fuzz_sink_open(&page);
	scaling_print_text(&(struct scaling_page){text.out, 10, 100, true}, &scaling);
	extrap_print(text.out, &scaling);
	scaling_print_json(json.out, &scaling);
	scaling_print_html(&(struct scaling_page){page.out, 0, 100, true}, &scaling);
	fuzz_sink_close(&text);
	fuzz_sink_close_json(&json);
	fuzz_sink_close_page(&page);
	scaling_clear(&scaling);
}

/* ---- ptrace-merge */

static struct merged_file *merge(struct fuzz_subject *subject)
{
	struct merged_writer *writer = merged_writer_create();
	char *problem = NULL;
	size_t size;

	merge_run_destroy(merge_run_read(subject->files, subject->symbolizer, writer));
	unsigned char *bytes = merged_writer_finish(writer, &size);
	struct merged_file *merged = merged_file_parse(bytes, size, &problem);

	if (!merged)
		abort();
	return merged;
}

/* What was merged is read as a run of its own. */
void fuzz_print_merged(struct fuzz_subject *subject)
{
	struct fuzz_subject again = {.files = run_files_create("merged"),
				     .symbolizer = subject->symbolizer,
				     .choice = subject->choice};

	run_files_add_merged(again.files, merge(subject));
	again.files->now_ns = 1;
	again.run = run_create(again.files, again.symbolizer, RUN_PATHS);
	again.findings = findings_of(again.run);
	fuzz_print_text(&again);
	fuzz_print_json(&again);
	findings_clear(&again.findings);
	run_destroy(again.run);
	run_files_destroy(again.files);
}
