/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "tests/fuzz/fuzz_outputs.h"

#include "analyze/export/export.h"
#include "analyze/html/html_report.h"
#include "analyze/base/memory.h"
#include "analyze/model/lines/source_listing.h"
#include "analyze/report/report_print.h"
#include "tests/fuzz/fuzz_prints.h"
#include "tests/fuzz/fuzz_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- ptrace-report */

static const struct source_query query = {.most = 3};

static struct report report_of(const struct fuzz_subject *subject, FILE *out)
{
	return (struct report){
		.run = subject->run,
		.findings = subject->findings,
		.out = out,
		.top = subject->choice & 1 ? 0 : 10,
		.width = subject->choice & 2 ? 40 : 100,
		.is_utf8 = subject->choice & 4,
		.is_by_process = subject->choice & 8,
		.source = &query,
	};
}

void fuzz_print_text(struct fuzz_subject *subject)
{
	struct fuzz_sink sink;

	fuzz_sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	free(report_text(&report, NULL, report.top ? 100 : 0));
	report_print_summary(&report);
	for (size_t i = 0; i < report_section_count; i++)
		if (report_sections[i].print_text) /* also where it is not worth it */
			report_sections[i].print_text(&report);
	fuzz_sink_close(&sink);
}

void fuzz_print_json(struct fuzz_subject *subject)
{
	struct fuzz_sink sink;

	fuzz_sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	report_print_json(&report, NULL);
	fuzz_sink_close_json(&sink);
}

static void print_csv(struct fuzz_subject *subject)
{
	struct fuzz_sink sink;

	fuzz_sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	report_print_csv(&report, NULL);
	fuzz_sink_close(&sink);
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
	struct fuzz_sink sink;

	fuzz_sink_open(&sink);
	struct report report = report_of(subject, sink.out);

	html_report_print(&report, names);
	fuzz_sink_close_page(&sink);
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
	struct fuzz_sink sink;

	fuzz_sink_open(&sink);
	export_to(subject, name, sink.out, NULL);
	if (is_json)
		fuzz_sink_close_json(&sink);
	else
		fuzz_sink_close(&sink);
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

const struct fuzz_output fuzz_outputs[] = {
	{"text", fuzz_print_text},
	{"json", fuzz_print_json},
	{"csv", print_csv},
	{"page", print_page},
	{"folded", print_folded},
	{"speedscope", print_speedscope},
	{"chrome", print_chrome},
	{"pprof", print_pprof},
	{"callgrind", print_callgrind},
	{"sqlite", print_sqlite},
	{"diff text", fuzz_print_diff_text},
	{"diff json", fuzz_print_diff_json},
	{"diff page", fuzz_print_diff_page},
	{"diff markdown", fuzz_print_diff_markdown},
	{"diff junit", fuzz_print_diff_junit},
	{"scaling", fuzz_print_scaling},
	{"merge", fuzz_print_merged},
	{"top", fuzz_print_top},
};
const size_t fuzz_output_count = sizeof fuzz_outputs / sizeof *fuzz_outputs;
