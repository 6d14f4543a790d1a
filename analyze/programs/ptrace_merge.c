/* SPDX-License-Identifier: MIT */
/* ptrace-merge: runs, or parts of runs, into one compact run. */
#define _GNU_SOURCE 1
#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/programs/incomplete.h"
#include "analyze/programs/merge_parts.h"
#include "analyze/programs/merge_run.h"
#include "analyze/symbols/symbolize.h"
#include "common/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <json-c/json.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROCESSES_MAX    1024
#define PATIENCE_DEFAULT 300
#define PATIENCE_MAX     1000000

struct options {
	const char *output, *symbols;
	unsigned processes, patience;
	char **runs;
	size_t run_count;
};

#define FIELD(name) .field = offsetof(struct options, name)

static const struct command_option options_table[] = {
	{"output", 'o', "RUN2", "the directory to write; must not hold a run yet", FIELD(output)},
	{"jobs", 'j', "N", "share the work out to N processes of this machine", FIELD(processes),
	 .least = 1, .most = PROCESSES_MAX},
	{"symbols", 0, "DIR", "look for programs, libraries and their debug files below DIR",
	 FIELD(symbols)},
	{"patience", 0, "S", "wait S seconds at most for the next rank of an mpirun (300)",
	 FIELD(patience), .least = 1, .most = PATIENCE_MAX},
	OPTIONS_OF_ALL,
};

static void print_help(const struct command_line *line)
{
	fputs("Usage: ptrace-merge -o RUN2 [options] [--] RUN...\n"
	      "       mpirun -n 16 ptrace-merge -o RUN2 RUN...\n"
	      "\n"
	      "Unites runs, profiles or merged runs into the one compact run RUN2, which needs the\n"
	      "programs and libraries of the run no more. ptrace-report RUN2 shows it.\n"
	      "\n",
	      stdout);
	command_line_print_options(line);
	fputs("\n"
	      "Exit status: 0 merged; 1 merged, but the run is incomplete (reason given); 2 wrong\n"
	      "usage or nothing readable.\n",
	      stdout);
}

static struct options read_options(int count, char **words)
{
	static const struct command_line command_line = {
		.program = "ptrace-merge",
		.print_help = print_help,
		.options = options_table,
		.count = sizeof options_table / sizeof *options_table,
		.help_width = 19,
		.is_indented = true,
	};
	struct options options = {.processes = 1, .patience = PATIENCE_DEFAULT};

	while (command_line_take(&command_line, count, words, &options))
		;
	options.runs = words + optind;
	options.run_count = (size_t)(count - optind);
	if (!options.output)
		die("where to write is missing: give -o RUN2");
	if (!options.run_count)
		die("nothing to merge: name a run");
	return options;
}

/* ---- merging */

/* The completeness of a part (share.count > 1) is not judged: what it lacks may be in another. */
static int merge(char *const *paths, size_t count, struct run_share share,
		 const struct options *options, const char *path)
{
	char *problem;
	struct run_files *files = run_files_open_all(paths, count, share, &problem);

	if (!files)
		die("%s", problem);
	struct symbolizer *symbolizer = symbolizer_create(options->symbols);
	struct merged_writer *writer = merged_writer_create();

	for (size_t i = 0; i < count; i++) {
		char *kept = memory_print("%s/symbols", paths[i]);

		symbolizer_add_kept(symbolizer, kept);
		free(kept);
	}
	struct run *run = merge_run_read(files, symbolizer, writer);

	if (!merged_writer_save(writer, path, &problem))
		die("%s", problem);
	int status = share.count == 1 ? warn_incomplete(run->is_complete, &run->notes) : 0;

	merge_run_destroy(run);
	symbolizer_destroy(symbolizer);
	run_files_destroy(files);
	return status;
}

static void merge_share(const struct options *options, const char *directory, size_t rank,
			size_t size)
{
	char *path = merge_parts_path(directory, rank);

	merge(options->runs, options->run_count, (struct run_share){rank, size}, options, path);
	free(path);
}

static void start_jobs(const struct options *options, const char *directory)
{
	for (size_t rank = 1; rank < options->processes; rank++) {
		pid_t child = fork();

		if (child < 0)
			die("cannot start another process: %s", strerror(errno));
		if (child)
			continue;
		progress_disable();
		merge_share(options, directory, rank, options->processes);
		_exit(0);
	}
}

/* What is recorded of the first run is true of the merged one: its command and start and, if its
 * processes are all that there are, its processors. */
static void copy_json(const struct options *options, const char *name)
{
	char *from = memory_print("%s/%s", options->runs[0], name);
	char *to = memory_print("%s/%s", options->output, name);
	struct json_object *root = access(from, R_OK) ? NULL : json_object_from_file(from);

	if (root && json_object_to_file_ext(to, root, JSON_C_TO_STRING_PRETTY))
		die("cannot write %s: %s", to, strerror(errno));
	json_object_put(root);
	free(from);
	free(to);
}

static void make_output(const char *output, const char *merged)
{
	if (mkdir(output, 0777) && errno != EEXIST)
		die("cannot make %s: %s", output, strerror(errno));
	if (!access(merged, F_OK))
		die("%s holds a merged run already: name another directory", output);
}

/* Rank 0: combines the others' parts with its own. */
static int unite_parts(const struct options *options, const char *directory, size_t size,
		       const char *merged)
{
	char *paths[] = {(char *)directory};

	merge_share(options, directory, 0, size);
	merge_parts_wait(directory, size, options->patience);
	int status = merge(paths, 1, (struct run_share){0, 1}, options, merged);

	merge_parts_remove(directory, size);
	return status;
}

int main(int count, char **words)
{
	struct options options = read_options(count, words);
	struct launch_rank launch;

	if (!launch_rank_read(&launch))
		die("the launcher's environment names a rank beyond the number of ranks");
	if (launch.size > 1)
		options.processes = 1;
	else
		launch.size = options.processes;

	progress_enable();
	int status;
	char *merged = memory_print("%s/" MERGED_FILE_NAME, options.output);

	if (!launch.rank)
		make_output(options.output, merged);
	if (launch.size == 1) {
		status = merge(options.runs, options.run_count, (struct run_share){0, 1}, &options,
			       merged);
	} else {
		char *directory = merge_parts_directory(options.output, &launch);

		start_jobs(&options, directory);
		if (launch.rank) {
			merge_share(&options, directory, launch.rank, launch.size);
			return 0;
		}
		status = unite_parts(&options, directory, launch.size, merged);
		free(directory);
	}
	copy_json(&options, "run.json");
	copy_json(&options, "processors.json");
	free(merged);
	progress_erase();
	return status;
}
