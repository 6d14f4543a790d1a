/* SPDX-License-Identifier: MIT */
/* Figures of OpenMP regions. Times are sums over executions, which follow one another in a thread
 * that starts teams; if there are several such threads, the effect is divided by their number. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/report/report_openmp.h"
#include "analyze/report/row_fields.h"

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
static void add_part(const struct extract *extract, const char *part, const char *key,
		     const char *shown, const struct row_fields *fields,
		     const struct omp_line *line)
{
	char *part_key = memory_print("%s in %s", part, key);
	char *part_shown = memory_print("%s in %s", part, shown);
	const struct extract_row of = {
		.like = {.section = SECTION_OPENMP, .key = part_key, .shown = part_shown}};

	extract_fields(extract, &of, fields, line);
	free(part_key);
	free(part_shown);
}

static void add_parts(const struct extract *extract, const struct omp_region *region,
		      const char *key, const char *shown)
{
	for (size_t i = 0; i < region->construct_count; i++)
		add_part(extract, "constructs", key, shown, &omp_constructs_fields,
			 &(struct omp_line){.construct = &region->constructs[i]});
	for (size_t i = 0; i < region->task_count; i++)
		add_part(extract, "tasks", key, shown, &omp_tasks_fields,
			 &(struct omp_line){.task = &region->tasks[i]});
}

static void add_region(const struct extract *extract, const struct omp_region *region)
{
	double masters = fmax(1, extract->run->omp.totals.masters);
	double team = fmax(1, omp_region_team(region));
	char *key = region_text(extract, region, false);
	char *shown = region_text(extract, region, true);
	const struct extract_row of = {
		.like = {.section = SECTION_OPENMP, .key = key, .shown = shown},
		.scale = {[TIME_ELAPSED] = {1, masters}, [TIME_OF_THREADS] = {1, team * masters}},
	};

	extract_fields(extract, &of, &omp_regions_fields, region);
	add_parts(extract, region, key, shown);
	free(key);
	free(shown);
}

void extract_openmp(const struct extract *extract)
{
	const struct omp_regions *regions = &extract->run->omp.regions;

	add_parts(extract, &regions->outside, "no region", "no region");
	for (size_t i = 0; i < regions->count; i++)
		add_region(extract, &regions->rows[i]);
}
