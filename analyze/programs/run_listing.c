/* SPDX-License-Identifier: MIT */
#include "analyze/programs/run_listing.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/print/output.h"
#include "analyze/read/run_list.h"
#include "analyze/read/run_read.h"
#include "analyze/report/report_list.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t changed_ns(const char *directory)
{
	struct stat status;

	if (stat(directory, &status))
		return 0;
	return (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;
}

static struct report_listed look(char *directory)
{
	struct report_listed run = {.directory = memory_copy_text(directory),
				    .changed_ns = changed_ns(directory)};
	struct run_files *files =
		run_files_open_all(&directory, 1, (struct run_share){0, 1}, &run.problem);

	if (!files)
		return run;
	run.sketch = run_sketch_of(files);
	if (files->is_damaged && files->problems.count)
		run.problem = memory_copy_text(files->problems.texts[0]);
	else
		run.problem = NULL;
	run_files_destroy(files);
	return run;
}

static void print(const struct report *report, enum report_format format,
		  const struct report_listed *runs, size_t count)
{
	switch (format) {
	case REPORT_JSON:
		report_list_json(report, runs, count);
		break;
	case REPORT_CSV:
		report_list_csv(report, runs, count);
		break;
	default:
		report_list_text(report, runs, count);
	}
}

static struct text_list find(const char *directory)
{
	char *problem;
	struct text_list list = run_list_of(directory, &problem);

	if (problem)
		die("%s", problem);
	if (!list.count)
		die("no run below %s: make one with ptrace-run PROGRAM",
		    strcmp(directory, ".") ? directory : "the current directory");
	return list;
}

int run_listing_print(const struct report_options *options, const struct report *like)
{
	struct text_list list = find(options->run ? options->run : ".");
	struct report_listed *runs = memory_allocate(list.count, sizeof *runs);
	struct report report = *like;

	for (size_t i = 0; i < list.count; i++)
		runs[i] = look(list.texts[i]);
	progress_erase();
	report_list_sort(runs, list.count);
	report.out = output_open(options->output);
	report.width = output_columns(report.out, options->width);
	print(&report, options->format, runs, list.count);
	output_close(report.out, options->output);
	for (size_t i = 0; i < list.count; i++) {
		free(runs[i].directory);
		free(runs[i].problem);
		run_sketch_clear(&runs[i].sketch);
	}
	free(runs);
	text_list_clear(&list);
	return 0;
}
