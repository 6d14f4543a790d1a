/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a profile or a merged run, all the way to what the programs print
 * (fuzz_outputs.h). Nothing may crash, hang or leak.
 *
 * Printing everything of every input would be slow: two bytes at the end of the header page, which
 * no reader looks at, say which outputs follow and how. They are inherited and mutated like all
 * others. With FUZZ_OUTPUTS=all in the environment everything is printed: for the corpus, whose
 * files came by a defect of one output and may show those of another.
 *
 * The corpus holds the scenes of make_profile, merged runs of some, and inputs that were not
 * survived. Names come from the fake symbolizer of the unit tests: no file is opened. */
#include "analyze/model/run/run_create.h"
#include "analyze/read/profile_read.h"
#include "analyze/read/run_read.h"
#include "analyze/symbols/symbolize.h"
#include "analyze/tables/merged.h"
#include "tests/fuzz/fuzz_choice.h"
#include "tests/fuzz/fuzz_outputs.h"
#include "tests/programs/profile_scenes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static void add(struct run_files *files, unsigned char *bytes, size_t size)
{
	char *problem = NULL;
	bool is_merged = size > 8 && bytes[8] == FORMAT_VERSION_MERGED;
	struct merged_file *merged = is_merged ? merged_file_parse(bytes, size, &problem) : NULL;
	struct profile *profile =
		is_merged ? NULL : profile_parse("fuzz.profile", bytes, size, &problem);

	free(problem);
	if (merged)
		run_files_add_merged(files, merged);
	if (profile)
		run_files_add_profile(files, profile);
}

static void add_scene(struct run_files *files, unsigned choice)
{
	size_t size;
	unsigned char *bytes = scene_make(scenes[choice % scene_count].name, &size);

	add(files, bytes, size);
}

/* Two processes, so that profiles meet others: themselves, or one that is not damaged. */
static struct run_files *read_two(const unsigned char *bytes, size_t size, unsigned choice)
{
	struct run_files *files = run_files_create("fuzz");

	for (size_t i = 0; i < 2; i++) {
		unsigned char *copy = malloc(size ? size : 1);

		if (i && choice & 64) {
			free(copy);
			add_scene(files, choice);
			break;
		}
		memcpy(copy, bytes, size);
		add(files, copy, size);
	}
	files->now_ns = 1;
	return files;
}

static void print_outputs(struct fuzz_subject *subject, unsigned output)
{
	static int are_all = -1;

	if (are_all < 0)
		are_all = getenv("FUZZ_OUTPUTS") != NULL;
	for (size_t i = 0; i < fuzz_output_count; i++)
		if (are_all || i == output % fuzz_output_count)
			fuzz_outputs[i].print(subject);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct fuzz_choice choice = fuzz_choice_of(bytes, size);
	struct fuzz_subject subject = {.files = read_two(bytes, size, choice.way),
				       .choice = choice.way};

	if (subject.files->process_count) {
		subject.files->processes[subject.files->process_count - 1].is_alive = size & 1;
		subject.symbolizer = symbolizer_create(NULL);
		subject.run = run_create(subject.files, subject.symbolizer,
					 choice.way & 8 ? RUN_PATHS | RUN_BY_PROCESS : RUN_PATHS);
		subject.findings = findings_of(subject.run);
		print_outputs(&subject, choice.output);
		findings_clear(&subject.findings);
		run_destroy(subject.run);
		symbolizer_destroy(subject.symbolizer);
	}
	run_files_destroy(subject.files);
	return 0;
}
