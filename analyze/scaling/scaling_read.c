/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_read.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/model/run/run_create.h"
#include "analyze/model/run/run_units.h"
#include "analyze/scaling/scaling_compute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "8=run": the scale, and the path after it; unless a file with that whole name exists. */
static double take_scale(const char **argument)
{
	const char *equals = strchr(*argument, '=');
	char *end;

	if (!equals || strspn(*argument, "0123456789.") != (size_t)(equals - *argument) ||
	    equals == *argument || !access(*argument, F_OK))
		return 0;
	double p = strtod(*argument, &end);

	if (end != equals || !isfinite(p) || p < 1 || p > 1e9)
		die("%s: give the scale as a number of 1 or more, such as 8=%s", *argument,
		    equals + 1);
	*argument = equals + 1;
	return p;
}

static struct scaling_run read_run(const char *argument, const char *symbols, const char *per)
{
	const char *path = argument;
	double p = take_scale(&path);
	char *problem;
	struct run_files *files = run_files_open(path, &problem);

	if (!files)
		die("%s", problem);
	struct symbolizer *symbolizer = symbolizer_create(symbols);
	struct run *run = run_create(files, symbolizer, RUN_PATHS);
	if (per && (problem = run_count_units(run, per)))
		die("%s: --per %s: %s", path, per, problem);
	struct scaling_run it = scaling_run_of(run, p);

	run_destroy(run);
	symbolizer_destroy(symbolizer);
	run_files_destroy(files);
	if (!(it.elapsed_ns > 0))
		die("%s has no elapsed time: nothing can be compared with it", path);
	return it;
}

static void check(const struct scaling_run *runs, size_t count)
{
	bool is_one_scale = true;

	if (count < 2)
		die("give two runs or more, with different numbers of threads or ranks");
	for (size_t i = 1; i < count; i++) {
		if (strcmp(runs[0].program, runs[i].program))
			die("%s is a run of %s and %s one of %s: give runs of one program",
			    runs[0].directory, runs[0].program, runs[i].directory, runs[i].program);
		is_one_scale &= runs[i].scale.p == runs[0].scale.p;
	}
	if (is_one_scale)
		die("all runs have the scale p = %g: give runs with different numbers of threads or "
		    "ranks, or say the scale of each, as in 4=%s",
		    runs[0].scale.p, runs[count - 1].directory);
}

struct scaling scaling_read(char *const *arguments, size_t count, const char *symbols, bool is_weak,
			    const char *per)
{
	struct scaling_run *runs = memory_allocate(count, sizeof *runs);

	for (size_t i = 0; i < count; i++)
		runs[i] = read_run(arguments[i], symbols, per);
	progress_erase();
	check(runs, count);
	return scaling_of(runs, count, is_weak);
}
