/* SPDX-License-Identifier: MIT */
#include "analyze/diff/side.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/run/run_create.h"
#include "analyze/model/run/run_units.h"
#include "analyze/read/run_read.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- conditions of a run */

static char *number_text(uint64_t number)
{
	return number ? memory_print("%llu", (unsigned long long)number) : NULL;
}

static char *program_text(const struct run *run)
{
	size_t length = strcspn(run->command, " ");
	char *word = memory_print("%.*s", (int)length, run->command);
	char *name = memory_copy_text(runtime_base_name(word));

	free(word);
	return name;
}

/* The directory of the program does not matter. */
static char *command_text(const struct run *run)
{
	size_t length = strcspn(run->command, " ");
	char *program = program_text(run);
	char *text = memory_print("%s%s", program, run->command + length);

	free(program);
	return text;
}

static char *hosts_text(const struct run *run)
{
	if (run->host_count > 1)
		return memory_print("%zu hosts", run->host_count);
	return run->host_count ? memory_copy_text(run->hosts[0]) : NULL;
}

/* From run.json; unknown without it, or for a single profile. */
static char *version_text(const struct run *run)
{
	char *path = memory_print("%s/run.json", run->files->directory), *text = NULL;
	struct json_object *root = access(path, R_OK) ? NULL : json_object_from_file(path);
	struct json_object *version;

	if (json_object_object_get_ex(root, "tool_version", &version) &&
	    json_object_is_type(version, json_type_string))
		text = memory_copy_text(json_object_get_string(version));
	json_object_put(root);
	free(path);
	return text;
}

static void read_conditions(struct side_run *side, const struct run *run)
{
	char **conditions = side->conditions;

	conditions[CONDITION_PROGRAM] = program_text(run);
	conditions[CONDITION_COMMAND] = command_text(run);
	conditions[CONDITION_RANKS] = number_text(run->mpi.ranks.count);
	conditions[CONDITION_TEAM] = number_text(run->omp.is_used ? run->omp.totals.threads : 0);
	conditions[CONDITION_THREADS] = number_text(run->thread_count);
	conditions[CONDITION_PROCESSES] = number_text(run->process_count);
	conditions[CONDITION_PROCESSORS] = number_text(run->processors);
	conditions[CONDITION_HOSTS] = hosts_text(run);
	conditions[CONDITION_VERSION] = version_text(run);
}

/* ---- reading */

static void read_problems(struct side_run *side, const struct run *run)
{
	const char *problem;

	for (size_t i = 0; (problem = names_module_problem(run->names, i)); i++)
		text_list_add(&side->nameless, "%s", problem);
}

struct side_run side_run_of(const char *path, const struct run *run)
{
	struct side_run side = {
		.path = path,
		.start = memory_copy_text(run->start),
		.figures = extract_figures(run),
		.elapsed_ns = (double)run->elapsed_ns,
	};

	read_conditions(&side, run);
	read_problems(&side, run);
	if (!run->is_complete)
		side.incomplete = memory_copy_text(run->notes.count ? run->notes.texts[0]
								    : "the reason is unknown");
	return side;
}

static struct side_run read_run(const char *path, struct symbolizer *symbolizer, const char *per)
{
	char *problem;
	struct run_files *files = run_files_open(path, &problem);

	if (!files)
		die("%s", problem);
	struct run *run = run_create(files, symbolizer, RUN_PATHS);
	if (per && (problem = run_count_units(run, per)))
		die("%s: --per %s: %s", path, per, problem);
	struct side_run side = side_run_of(path, run);

	run_destroy(run);
	run_files_destroy(files);
	return side;
}

void side_add(struct side *side, const char *path, struct symbolizer *symbolizer, const char *per)
{
	size_t capacity = side->count; /* few runs, each of which took long to read */

	side->runs = memory_grow(side->runs, side->count, &capacity, sizeof *side->runs);
	side->runs[side->count++] = read_run(path, symbolizer, per);
}

struct side side_read(char *const *paths, size_t count, struct symbolizer *symbolizer,
		      const char *per)
{
	struct side side = {0};

	for (size_t i = 0; i < count; i++)
		side_add(&side, paths[i], symbolizer, per);
	return side;
}

void side_clear(struct side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		free(side->runs[i].start);
		free(side->runs[i].incomplete);
		text_list_clear(&side->runs[i].nameless);
		for (size_t j = 0; j < CONDITION_COUNT; j++)
			free(side->runs[i].conditions[j]);
		figures_destroy(side->runs[i].figures);
	}
	free(side->runs);
}

/* ---- their order */

/* Comparable if both are ISO times with the same offset; otherwise it does not matter. */
static bool is_before(const struct side *first, const struct side *second)
{
	for (size_t i = 0; i < first->count; i++)
		for (size_t j = 0; j < second->count; j++) {
			const char *start = first->runs[i].start, *other = second->runs[j].start;

			if (!start || !other || strcmp(start, other) >= 0)
				return false;
		}
	return true;
}

bool side_are_in_turn(const struct side sides[2])
{
	return !is_before(&sides[0], &sides[1]) && !is_before(&sides[1], &sides[0]);
}

/* ---- what differs */

static const struct {
	const char *sentence; /* %s: B's, %s: A's */
	const char *none;     /* for a side that has no value */
} phrases[CONDITION_COUNT] = {
	[CONDITION_PROGRAM] = {"B ran the program %s instead of %s", "an unknown one"},
	[CONDITION_COMMAND] = {"B ran '%s' instead of '%s'", "unknown"},
	[CONDITION_RANKS] = {"B ran with %s MPI ranks instead of %s", "no"},
	[CONDITION_TEAM] = {"B ran with %s OpenMP threads instead of %s", "no"},
	[CONDITION_THREADS] = {"B ran with %s threads instead of %s", "unknown"},
	[CONDITION_PROCESSES] = {"B ran with %s processes instead of %s", "unknown"},
	[CONDITION_PROCESSORS] = {"B could use %s processors instead of %s", "unknown"},
	[CONDITION_HOSTS] = {"B ran on %s instead of %s", "an unknown host"},
	[CONDITION_VERSION] = {"B was recorded by version %s instead of %s of the profiler",
			       "unknown"},
};

static bool is_equal(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool has_value(const struct side *side, size_t count, enum condition condition,
		      const char *value)
{
	for (size_t i = 0; i < count; i++)
		if (is_equal(side->runs[i].conditions[condition], value))
			return true;
	return false;
}

static bool is_shared(const struct side sides[2], enum condition condition)
{
	for (size_t i = 0; i < sides[0].count; i++)
		if (has_value(&sides[1], sides[1].count, condition,
			      sides[0].runs[i].conditions[condition]))
			return true;
	return false;
}

/* "3", or "3 or 5" if the runs of a side differ. */
static char *values_text(const struct side *side, enum condition condition)
{
	char *text = memory_copy_text("");

	for (size_t i = 0; i < side->count; i++) {
		const char *value = side->runs[i].conditions[condition];

		if (has_value(side, i, condition, value))
			continue;
		char *longer = memory_print("%s%s%s", text, *text ? " or " : "",
					    value ? value : phrases[condition].none);

		free(text);
		text = longer;
	}
	return text;
}

char *side_difference(const struct side sides[2], enum condition condition)
{
	if (is_shared(sides, condition))
		return NULL;
	char *a = values_text(&sides[0], condition), *b = values_text(&sides[1], condition);
	const char *mark = strstr(phrases[condition].sentence, "%s");
	const char *second = strstr(mark + 2, "%s");
	char *text = memory_print("%.*s%s%.*s%s%s", (int)(mark - phrases[condition].sentence),
				  phrases[condition].sentence, b, (int)(second - mark - 2),
				  mark + 2, a, second + 2);

	free(a);
	free(b);
	return text;
}

char *side_difference_in_size(const struct side sides[2])
{
	static const enum condition sizes[] = {CONDITION_RANKS, CONDITION_TEAM, CONDITION_THREADS};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char *sentence = side_difference(sides, sizes[i]);

		if (!sentence)
			continue;
		char *text = memory_copy_text(strstr(sentence, "with "));

		free(sentence);
		return text;
	}
	return NULL;
}
