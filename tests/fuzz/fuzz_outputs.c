/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "tests/fuzz/fuzz_outputs.h"

#include "analyze/diff/diff.h"
#include "analyze/export/export.h"
#include "analyze/export/export_rows.h"
#include "analyze/html/html_report.h"
#include "analyze/memory.h"
#include "analyze/merge/merge_run.h"
#include "analyze/report/report_print.h"
#include "analyze/scaling/extrap.h"
#include "analyze/scaling/scaling_print.h"
#include "tests/programs/profile_scenes.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- what was printed */

struct sink {
	FILE *out;
	char *text;
	size_t bytes;
};

static void sink_open(struct sink *sink)
{
	*sink = (struct sink){0};
	sink->out = open_memstream(&sink->text, &sink->bytes);
}

static void sink_close(struct sink *sink)
{
	fclose(sink->out);
	free(sink->text);
}

static void sink_close_json(struct sink *sink)
{
	fflush(sink->out);
	struct json_object *root = json_tokener_parse(sink->text);

	if (!root)
		abort();
	json_object_put(root);
	sink_close(sink);
}

static void sink_close_page(struct sink *sink)
{
	static const char end[] = "</html>\n";

	fflush(sink->out);
	if (strlen(sink->text) != sink->bytes || sink->bytes < strlen(end) ||
	    strcmp(sink->text + sink->bytes - strlen(end), end) != 0)
		abort();
	sink_close(sink);
}

/* ---- ptrace-report */

static struct report report_of(const struct fuzz_subject *subject, FILE *out)
{
	return (struct report){
		.run = subject->run,
		.out = out,
		.top = subject->choice & 1 ? 0 : 10,
		.width = subject->choice & 2 ? 40 : 100,
		.is_utf8 = subject->choice & 4,
		.is_by_process = subject->choice & 8,
	};
}

static void print_text(struct fuzz_subject *subject)
{
	struct sink sink;

	sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	report_print_text(&report, NULL, report.top ? 100 : 0);
	report_print_summary(&report);
	for (size_t i = 0; i < report_section_count; i++)
		if (report_sections[i].print_text) /* also where it is not worth it */
			report_sections[i].print_text(&report);
	sink_close(&sink);
}

static void print_json(struct fuzz_subject *subject)
{
	struct sink sink;

	sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	report_print_json(&report, NULL);
	sink_close_json(&sink);
}

static void print_csv(struct fuzz_subject *subject)
{
	struct sink sink;

	sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	report_print_csv(&report, NULL);
	sink_close(&sink);
}

static char *all_sections(void)
{
	char *names = memory_copy_text("");

	for (size_t i = 0; i < report_section_count; i++) {
		char *longer = memory_print("%s%s%s", names, i ? "," : "", report_sections[i].name);

		free(names);
		names = longer;
	}
	return names;
}

static void print_page(struct fuzz_subject *subject)
{
	char *names = subject->choice & 16 ? all_sections() : NULL;
	struct sink sink;

	sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	html_report_print(&report, names);
	sink_close_page(&sink);
	free(names);
}

/* ---- ptrace-export */

static void export_to(struct fuzz_subject *subject, const char *name, FILE *out, const char *path)
{
	const struct export_format *format = export_find_format(name);
	struct export export = {
		.format = format,
		.files = subject->files,
		.run = subject->run,
		.out = out,
		.output = path,
		.measure = subject->choice % EXPORT_MEASURES,
	};

	if (!(subject->files->merged_count && (format->needs & EXPORT_PROFILES)))
		format->write(&export);
}

static void export_text_format(struct fuzz_subject *subject, const char *name, bool is_json)
{
	struct sink sink;

	sink_open(&sink);
	export_to(subject, name, sink.out, NULL);
	if (is_json)
		sink_close_json(&sink);
	else
		sink_close(&sink);
}

static void print_folded(struct fuzz_subject *subject)
{
	export_text_format(subject, "folded", false);
}

static void print_speedscope(struct fuzz_subject *subject)
{
	export_text_format(subject, "speedscope", true);
}

static void print_chrome(struct fuzz_subject *subject)
{
	export_text_format(subject, "chrome", true);
}

static void print_callgrind(struct fuzz_subject *subject)
{
	export_text_format(subject, "callgrind", false);
}

/* zlib writes to a descriptor. */
static void print_pprof(struct fuzz_subject *subject)
{
	FILE *out = fdopen(memfd_create("pprof", MFD_CLOEXEC), "w");

	export_to(subject, "pprof", out, NULL);
	fclose(out);
}

static char directory[] = "/tmp/ptrace-fuzz-XXXXXX";

static void remove_directory(void)
{
	rmdir(directory);
}

static char *database_path(void)
{
	static bool is_made;

	if (!is_made && !mkdtemp(directory))
		abort();
	if (!is_made)
		atexit(remove_directory);
	is_made = true;
	return memory_print("%s/sqlite", directory);
}

static void print_sqlite(struct fuzz_subject *subject)
{
	char *path = database_path();

	export_to(subject, "sqlite", NULL, path);
	unlink(path);
	free(path);
}

/* Every table of the first profile. */
static void print_tables(struct fuzz_subject *subject)
{
	const struct profile *profile = subject->files->processes[0].profile;
	struct sink sink;

	sink_open(&sink);
	struct export export = {
		.files = subject->files, .run = subject->run, .out = sink.out, .table = "help"};

	for (size_t i = 0; profile && i < profile->file->schema->table_count; i++) {
		const char *name = profile->file->schema->tables[i].name;

		if (!export_rows_has(table_file_find(profile->file, name)))
			continue;
		export_csv(&export);
		export.table = name;
	}
	sink_close(&sink);
}

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
		    void (*close)(struct sink *sink))
{
	static char *paths[] = {(char *)"fuzz", (char *)"fuzz"};
	size_t damaged = subject->choice & 1;
	struct diff_options options = {.runs = {paths, paths + 1},
				       .run_count = {1, 1},
				       .threshold_percent = 1,
				       .top = subject->choice & 2 ? 0 : 10,
				       .is_top_given = true,
				       .width = 100};
	struct diff diff = {.options = &options};
	struct sink sink;

	for (size_t side = 0; side < 2; side++)
		diff.sides[side] = (struct side){memory_allocate(1, sizeof(struct side_run)), 1};
	*diff.sides[damaged].runs = side_run_of("fuzz", subject->run);
	*diff.sides[!damaged].runs =
		subject->choice & 32 ? side_run_of("fuzz", subject->run) : scene_side(subject);
	diff_compare(&diff);
	sink_open(&sink);
	print(&diff, sink.out);
	close(&sink);
	diff_clear(&diff);
}

static void print_diff_text(struct fuzz_subject *subject)
{
	compare(subject, diff_print_text, sink_close);
}

static void print_diff_json(struct fuzz_subject *subject)
{
	compare(subject, diff_print_json, sink_close_json);
}

static void print_diff_page(struct fuzz_subject *subject)
{
	compare(subject, diff_print_html, sink_close_page);
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
static void print_scaling(struct fuzz_subject *subject)
{
	enum { RUNS = 4 };
	struct scaling_run *runs;
	struct sink text, json, page;

	if (!(scaling_elapsed_ns(subject->run) > 0))
		return;
	runs = memory_allocate(RUNS, sizeof *runs);
	runs[0] = scaling_run_of(subject->run, 1);
	runs[1] = subject->choice & 1 ? scene_scale(subject, 2) : scaling_run_of(subject->run, 2);
	runs[2] = scaling_run_of(subject->run, 4);
	runs[3] = scaling_run_of(subject->run, subject->choice & 2 ? 0 : 8);
	struct scaling scaling = scaling_of(runs, RUNS, subject->choice & 4);

	sink_open(&text);
	sink_open(&json);
	sink_open(&page);
	scaling_print_text(&(struct scaling_page){text.out, 10, 100, true}, &scaling);
	extrap_print(text.out, &scaling);
	scaling_print_json(json.out, &scaling);
	scaling_print_html(&(struct scaling_page){page.out, 0, 100, true}, &scaling);
	sink_close(&text);
	sink_close_json(&json);
	sink_close_page(&page);
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
static void print_merged(struct fuzz_subject *subject)
{
	struct fuzz_subject again = {.files = run_files_create("merged"),
				     .symbolizer = subject->symbolizer,
				     .choice = subject->choice};

	run_files_add_merged(again.files, merge(subject));
	again.files->now_ns = 1;
	again.run = run_create(again.files, again.symbolizer, RUN_PATHS);
	print_text(&again);
	print_json(&again);
	run_destroy(again.run);
	run_files_destroy(again.files);
}

/* The first is printed of every input. */
const struct fuzz_output fuzz_outputs[] = {
	{"text", print_text},
	{"json", print_json},
	{"csv", print_csv},
	{"page", print_page},
	{"folded", print_folded},
	{"speedscope", print_speedscope},
	{"chrome", print_chrome},
	{"pprof", print_pprof},
	{"callgrind", print_callgrind},
	{"tables", print_tables},
	{"sqlite", print_sqlite},
	{"diff text", print_diff_text},
	{"diff json", print_diff_json},
	{"diff page", print_diff_page},
	{"scaling", print_scaling},
	{"merge", print_merged},
};
const size_t fuzz_output_count = sizeof fuzz_outputs / sizeof *fuzz_outputs;
