/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a profile or a merged run, all the way to the text, the JSON and the
 * page. Nothing may crash, hang or leak, the JSON is JSON, and the page has an end.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined ... && ./fuzz_profile -max_len=65536
 * tests/fuzz/corpus
 *
 * The corpus holds the scenes of make_profile, and merged runs of some. Names come from the fake
 * symbolizer of the unit tests: no file is opened. */
#include "analyze/html/html_report.h"
#include "analyze/model/run.h"
#include "analyze/report/report_print.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

/* Two processes, so that profiles meet others: themselves, with a number of their own. */
static struct run_files *read_twice(const unsigned char *bytes, size_t size)
{
	struct run_files *files = run_files_create("fuzz");

	for (size_t i = 0; i < 2; i++) {
		unsigned char *copy = malloc(size ? size : 1);
		char *problem = NULL;

		memcpy(copy, bytes, size);
		bool is_merged = size > 8 && copy[8] == FORMAT_VERSION_MERGED;
		struct merged_file *merged =
			is_merged ? merged_file_parse(copy, size, &problem) : NULL;
		struct profile *profile =
			is_merged ? NULL : profile_parse("fuzz.profile", copy, size, &problem);

		free(problem);
		if (merged)
			run_files_add_merged(files, merged);
		if (profile)
			run_files_add_profile(files, profile);
	}
	return files;
}

static void print_all(const struct run *run)
{
	char *text = NULL;
	size_t text_bytes, json_start;
	struct report report = {
		.run = run, .out = open_memstream(&text, &text_bytes), .top = 10, .width = 100};

	report_print_text(&report, NULL, 100);
	report_print_summary(&report);
	fflush(report.out);
	json_start = text_bytes;
	report_print_json(&report, NULL);
	fclose(report.out);

	struct json_object *root = json_tokener_parse(text + json_start);

	if (!root)
		abort();
	json_object_put(root);
	free(text);
}

static void print_page(const struct run *run)
{
	static const char end[] = "</html>\n";
	char *text = NULL;
	size_t text_bytes;
	struct report report = {
		.run = run, .out = open_memstream(&text, &text_bytes), .top = 10, .width = 100};

	html_report_print(&report, NULL);
	fclose(report.out);
	if (strcmp(text + text_bytes - strlen(end), end) != 0 || strlen(text) != text_bytes)
		abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct run_files *files = read_twice(bytes, size);

	files->now_ns = 1;
	if (files->process_count) {
		files->processes[files->process_count - 1].is_alive = size & 1;
		struct symbolizer *symbolizer = symbolizer_create(NULL);
		struct run *run = run_create(files, symbolizer,
					     (unsigned)size & (RUN_BY_PROCESS | RUN_PATHS));

		print_all(run);
		print_page(run);
		run_destroy(run);
		symbolizer_destroy(symbolizer);
	}
	run_files_destroy(files);
	return 0;
}
