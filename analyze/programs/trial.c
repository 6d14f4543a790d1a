/* SPDX-License-Identifier: MIT */
#include "analyze/programs/trial.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/sequence.h"
#include "analyze/programs/trial_start.h"
#include "analyze/symbols/symbolize.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DIRECTORIES_MAX 100000

struct trial {
	const struct diff_options *options;
	const char *directory;
	struct symbolizer *symbolizer;
	char **paths; /* of all runs, in the order in which they were made */
	size_t path_count, path_capacity;
};

/* ---- where the runs are kept */

static const char *name_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash ? slash + 1 : program;
}

/* NAME.diff.N, the first that does not exist. */
static char *make_numbered(const char *program)
{
	for (unsigned number = 1; number < DIRECTORIES_MAX; number++) {
		char *path = memory_print("%s.diff.%u", name_of(program), number);

		if (!mkdir(path, 0700))
			return path;
		if (errno != EEXIST)
			die("%s cannot be made: %s; --directory DIR names another", path,
			    strerror(errno));
		free(path);
	}
	die("there are too many directories %s.diff.N here: --directory DIR names another",
	    name_of(program));
}

static char *make_directory(const struct diff_options *options)
{
	if (!options->directory)
		return make_numbered(options->runs[1][0]);
	if (mkdir(options->directory, 0700))
		die("--directory %s cannot be made: %s", options->directory, strerror(errno));
	return memory_copy_text(options->directory);
}

/* ---- the runs */

static void add_run(struct trial *trial, struct diff *diff, size_t side, size_t number)
{
	static const char *const names[] = {"old", "new"};
	char *path = memory_print("%s/%s.%zu", trial->directory, names[side], number);
	/* old.* and new.* are to name the runs alone */
	char *output = memory_print("%s/output.%s.%zu", trial->directory, names[side], number);

	trial_start(trial->options->runs[side], path, output);
	side_add(&diff->sides[side], path, trial->symbolizer, trial->options->per);
	trial->paths = memory_grow(trial->paths, trial->path_count, &trial->path_capacity,
				   sizeof *trial->paths);
	trial->paths[trial->path_count++] = path;
	free(output);
}

/* Old and new change places from pair to pair: what comes second has warm caches, and whatever the
 * machine does meanwhile meets both. */
static void add_pair(struct trial *trial, struct diff *diff, size_t number)
{
	size_t first = number % 2 ? 0 : 1;

	add_run(trial, diff, first, number);
	add_run(trial, diff, !first, number);
}

static bool is_certain(struct diff *diff)
{
	struct changes changes = changes_of_metrics(diff->sides, diff->options->threshold_percent,
						    diff->options->metrics);
	bool is_it = sequence_is_certain(&changes);

	changes_clear(&changes);
	return is_it;
}

static size_t run_series(struct trial *trial, struct diff *diff)
{
	size_t most = trial->options->run_pairs;

	for (size_t pairs = 1; pairs <= most; pairs++) {
		add_pair(trial, diff, pairs);
		progress_step("pairs of runs", pairs, most);
		if (pairs < most && sequence_is_look(pairs, most) && is_certain(diff))
			return pairs;
	}
	return most;
}

int trial_run(const struct diff_options *options)
{
	char *directory = make_directory(options);
	struct trial trial = {.options = options, .directory = directory};
	struct diff diff = {.options = options};

	trial.symbolizer = symbolizer_create(options->symbols);
	size_t pairs = run_series(&trial, &diff);

	symbolizer_destroy(trial.symbolizer);
	progress_erase();
	warn_line("%zu of at most %u pairs of runs; they are in %s", pairs, options->run_pairs,
		  directory);
	int status = diff_finish(&diff);

	for (size_t i = 0; i < trial.path_count; i++)
		free(trial.paths[i]);
	free(trial.paths);
	free(directory);
	return status;
}
