/* SPDX-License-Identifier: MIT */
/* Figures of OpenMP regions. Times are sums over executions, which follow one another in a thread
 * that starts teams; if there are several such threads, the effect is divided by their number. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figure_key.h"

#include <math.h>
#include <stdlib.h>

static char *region_text(const struct extract *extract, const struct omp_region *region,
			 bool with_file)
{
	const struct omp_regions *regions = &extract->run->omp.regions;
	size_t routine = region->place.routine;
	char *name = with_file
			     ? figure_key_place(extract->run->names, routine)
			     : memory_copy_text(names_routine(extract->run->names, routine)->name);
	char *text;

	if (region->parent == OMP_NO_REGION) {
		text = memory_print("region %s", name);
	} else {
		char *outer = region_text(extract, &regions->rows[region->parent], with_file);

		text = memory_print("region %s in %s", name, outer);
		free(outer);
	}
	free(name);
	return text;
}

/* Of the constructs and the tasks of a region, under keys of their own. */
static void add_carried(const struct extract *extract, const struct omp_region *region,
			const char *key, const char *shown)
{
	const struct {
		const char *name;
		const struct carried *carried;
		const void *rows;
		size_t count, row_bytes;
	} parts[] = {
		{"constructs", &carried_by_omp_construct, region->constructs,
		 region->construct_count, sizeof *region->constructs},
		{"tasks", &carried_by_omp_task, region->tasks, region->task_count,
		 sizeof *region->tasks},
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *part_key = memory_print("%s in %s", parts[i].name, key);
		char *part_shown = memory_print("%s in %s", parts[i].name, shown);
		const struct figure like = {
			.section = SECTION_OPENMP, .key = part_key, .shown = part_shown};

		for (size_t row = 0; row < parts[i].count; row++)
			extract_carried(extract, &like, parts[i].carried,
					(const char *)parts[i].rows + row * parts[i].row_bytes);
		free(part_key);
		free(part_shown);
	}
}

static void add_region(const struct extract *extract, const struct omp_region *region)
{
	double masters = fmax(1, extract->run->omp.sums.masters);
	double team = fmax(1, omp_region_team(region));
	const struct {
		const char *metric;
		enum figure_unit unit;
		enum figure_role role;
		double value, effect_ns;
	} rows[] = {
		{"elapsed", UNIT_NS, ROLE_EXPLAINS, region->elapsed_ns, region->elapsed_ns},
		{"work", UNIT_NS, ROLE_EXPLAINS, region->work_ns, region->work_ns / team},
		{"waits", UNIT_NS, ROLE_CAUSE, region->wait_ns + region->join_ns,
		 (region->wait_ns + region->join_ns) / team},
		{"imbalance", UNIT_NS, ROLE_EXPLAINS, region->imbalance_ns, region->imbalance_ns},
		{"executions", UNIT_COUNT, ROLE_EXPLAINS, region->count, NAN},
	};
	char *key = region_text(extract, region, false),
	     *shown = region_text(extract, region, true);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		figures_add(extract->figures,
			    &(struct figure){
				    .section = SECTION_OPENMP,
				    .key = key,
				    .metric = rows[i].metric,
				    .unit = rows[i].unit,
				    .sense = rows[i].unit == UNIT_NS ? SENSE_LESS : SENSE_NEUTRAL,
				    .role = rows[i].role,
				    .value = rows[i].value,
				    .effect_ns = rows[i].effect_ns / masters,
				    .shown = shown,
			    });
	add_carried(extract, region, key, shown);
	free(key);
	free(shown);
}

void extract_openmp(const struct extract *extract)
{
	const struct omp_regions *regions = &extract->run->omp.regions;

	add_carried(extract, &regions->outside, "no region", "no region");
	for (size_t i = 0; i < regions->count; i++)
		add_region(extract, &regions->rows[i]);
}
