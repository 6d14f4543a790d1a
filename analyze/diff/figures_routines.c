/* SPDX-License-Identifier: MIT */
/* Figures of routines and of call paths. A routine is identified by its name: its file may be
 * unknown in one of two builds, and the object file may have another name.
 *
 * Those of CPU time, and those that tell how it was shared by threads, are not in the list of
 * fields: each has an error, a weight and conditions of its own. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/findings/where/finding_place.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below this share of the run's time a call path is no figure of its own. */
#define PATH_SHARE_MIN 0.001

/* Its share of elapsed time, summed over process images of which `processes` ran at once. */
static double elapsed_of(const struct extract *extract, const struct routine_time *row, double ns)
{
	double average = row->average_concurrency;

	return isfinite(average) ? ns / average / extract->processes : ns / extract->busy;
}

/* Time in libraries that poll, or that implement waits, is a symptom of what they wait for. */
static enum figure_role role_of(const struct routine *routine)
{
	bool is_symptom = routine->is_machinery || routine->is_runtime || !*routine->module ||
			  runtime_is_mpi(routine->module);

	return is_symptom ? ROLE_EXPLAINS : ROLE_CAUSE;
}

/* Code that others call: a reader wants to know who does. */
static bool is_library(const char *module)
{
	return !strncmp(module, "lib", 3) && strstr(module, ".so");
}

static void add_time(const struct extract *extract, const struct routine_time *row,
		     const char *metric, double ns, double error, enum figure_role role)
{
	const struct routine *routine = names_routine(extract->run->names, row->routine);
	char *shown = figure_key_place(extract->run->names, row->routine);
	char *at = names_place_text(extract->run->names, row->routine, row->line);
	const char *module = runtime_base_name(routine->module);

	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_ROUTINES,
					      .key = routine->name,
					      .metric = metric,
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .role = role,
					      .grade = GRADE_SAMPLED,
					      .value = ns,
					      .error = error,
					      .effect_ns = elapsed_of(extract, row, ns),
					      .disturbance = ns * extract->load.share,
					      .is_cpu = true,
					      .is_detail = !finding_is_place(extract->run, row),
					      .shown = shown,
					      .at = at,
					      .place = is_library(module) ? module : NULL,
				      });
	free(at);
	free(shown);
}

/* Code that starts a program or a thread is the same at the root of all paths. */
static bool is_start(const struct routine *routine)
{
	return routine->is_runtime || !strcmp(routine->name, "_start");
}

/* CPU time that a sample stands for, on average. */
static double sample_weight(const struct routine_times *times)
{
	double ns = 0, samples = 0;

	for (size_t i = 0; i < times->count; i++)
		if (times->rows[i].samples) {
			ns += (double)times->rows[i].self_ns;
			samples += (double)times->rows[i].samples;
		}
	return samples > 0 ? ns / samples : 0;
}

/* How many threads ran it, and what that meant (sharing.h). */
static void add_sharing(const struct extract *extract, const struct routine_time *row,
			double sample_ns)
{
	const struct routine *routine = names_routine(extract->run->names, row->routine);
	double at_once = extract->processes, total = (double)row->total_ns;
	double unsure = sqrt(sample_ns / total), longest = row->spread.max_ns;
	const struct {
		const char *metric;
		double value, unsure;
		enum figure_role role;
	} rows[] = {
		{"elapsed", (double)row->total_elapsed_ns / at_once, unsure, ROLE_SHARING},
		{"alone", (double)row->total_alone_ns / at_once, unsure, ROLE_EXPLAINS},
		{"longest", longest, longest > 0 ? sqrt(sample_ns / longest) : 0, ROLE_SHARING},
		{"threads", (double)row->spread.count, 0, ROLE_EXPLAINS},
	};
	char *shown = figure_key_place(extract->run->names, row->routine);
	bool is_library_routine = is_library(runtime_base_name(routine->module));

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool is_count = !strcmp(rows[i].metric, "threads");

		figures_add(extract->figures,
			    &(struct figure){
				    .section = SECTION_ROUTINES,
				    .key = routine->name,
				    .metric = rows[i].metric,
				    .unit = is_count ? UNIT_NUMBER : UNIT_NS,
				    .sense = is_count ? SENSE_NEUTRAL : SENSE_LESS,
				    .role = is_library_routine ? ROLE_EXPLAINS : rows[i].role,
				    .is_detail = !finding_is_place(extract->run, row),
				    .unite = is_count ? UNITE_MAX : UNITE_SUM,
				    .grade = GRADE_SAMPLED,
				    .value = rows[i].value,
				    .error = rows[i].value * rows[i].unsure,
				    .effect_ns = is_count ? NAN : rows[i].value,
				    .shown = shown,
			    });
	}
	free(shown);
}

/* Figures of its list of fields. Of times with waits the CPU time has an error. sample_ns: that a
 * sample stands for. */
static void add_fields(const struct extract *extract, const struct routine_time *row,
		       double sample_ns)
{
	char *shown = figure_key_place(extract->run->names, row->routine);
	const struct extract_row of = {
		.like = {
			.section = SECTION_ROUTINES,
			.key = names_routine(extract->run->names, row->routine)->name,
			.grade = GRADE_SAMPLED,
			.error = sqrt((double)row->total_ns * sample_ns),
			.is_detail = !finding_is_place(extract->run, row),
			.shown = shown,
		}};

	extract_fields(extract, &of, &routines_fields, row);
	free(shown);
}

void extract_routines(const struct extract *extract)
{
	const struct routine_times *times = &extract->run->routines;
	double weight = sample_weight(times);

	for (size_t i = 0; i < times->count; i++) {
		const struct routine_time *row = &times->rows[i];
		const struct routine *routine = names_routine(extract->run->names, row->routine);
		double self = (double)row->self_ns, total = (double)row->total_ns;
		double error = row->samples ? self / sqrt((double)row->samples) : 0;

		if (row->self_ns)
			add_time(extract, row, "self", self, error, role_of(routine));
		/* Routines that start or wait have everything below them. The number of samples of
		 * the total is not known, only their weight. */
		if (row->total_ns && role_of(routine) == ROLE_CAUSE && !is_start(routine))
			add_time(extract, row, "total", total, sqrt(total * weight), ROLE_EXPLAINS);
		if (row->total_ns && row->is_share_known && role_of(routine) == ROLE_CAUSE &&
		    !is_start(routine))
			add_sharing(extract, row, weight);
		if (role_of(routine) == ROLE_CAUSE && !is_start(routine))
			add_fields(extract, row, weight);
	}
}

/* ---- call paths */

/* "main > work > push" or, for readers, "push < work < main": what is cut off to fit is at the end.
 * The root has no name. */
static char *path_text(const struct extract *extract, const struct path_tree *tree, size_t node,
		       bool is_shown)
{
	const struct routine *routine =
		names_routine(extract->run->names, tree->nodes[node].routine);

	if (!node)
		return memory_copy_text("");
	char *outer = path_text(extract, tree, tree->nodes[node].parent, is_shown);

	if (!*outer && is_start(routine) && tree->nodes[node].kind == PATH_CODE)
		return outer;
	char *name =
		is_shown ? text_without_templates(routine->name) : memory_copy_text(routine->name);
	char *text = is_shown ? memory_print("%s%s%s", name, *outer ? " < " : "", outer)
			      : memory_print("%s%s%s", outer, *outer ? " > " : "", name);

	free(name);
	free(outer);
	return text;
}

static void add_path(const struct extract *extract, const struct path_tree *tree, size_t node,
		     double threads)
{
	const struct path_node *row = &tree->nodes[node];
	bool is_wait = row->kind == PATH_WAIT;
	double ns = (double)(is_wait ? row->self.wait_ns : row->self.cpu_ns);
	double samples = (double)row->self.samples;
	char *text = path_text(extract, tree, node, false), *key = figure_key_without_lines(text);
	char *other = path_text(extract, tree, node, true),
	     *shown = figure_key_without_lines(other);

	figures_add(extract->figures,
		    &(struct figure){
			    .section = SECTION_PATHS,
			    .key = key,
			    .metric = is_wait ? "waits" : "self",
			    .unit = UNIT_NS,
			    .sense = SENSE_LESS,
			    .grade = is_wait ? GRADE_EXACT : GRADE_SAMPLED,
			    .value = ns,
			    .error = samples > 0 && !is_wait ? ns / sqrt(samples) : 0,
			    .effect_ns = ns / (is_wait ? threads : extract->busy),
			    .disturbance = is_wait ? 0 : ns * extract->load.share,
			    .is_cpu = !is_wait,
			    .shown = shown,
		    });
	free(key);
	free(text);
	free(other);
	free(shown);
}

void extract_paths(const struct extract *extract)
{
	const struct run *run = extract->run;
	struct path_tree tree = {0};

	if (run->paths.count)
		tree = path_tree_fold_lines(&run->paths);
	for (size_t i = 1; i < tree.count; i++) {
		const struct path_figures *self = &tree.nodes[i].self;
		double share = PATH_SHARE_MIN * (double)run->elapsed_ns;

		if ((double)(self->cpu_ns + self->wait_ns) >= share)
			add_path(extract, &tree, i, extract->threads);
	}
	path_tree_clear(&tree);
}
