/* SPDX-License-Identifier: MIT */
/* OpenMP region by region, and the constructs and tasks in them. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/carried.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_openmp.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>

/* Regions after these have no line of advice: there is little to gain. */
#define ADVISED_ROWS 5

/* ---- regions */

static char *team_text(const struct omp_region *region)
{
	if (!region->team_max)
		return memory_copy_text("?");
	if (region->team_min == region->team_max)
		return text_count(region->team_max);
	return memory_print("%llu-%llu", (unsigned long long)region->team_min,
			    (unsigned long long)region->team_max);
}

/* "compute:12"; NULL: outside of all. */
static char *region_text(const struct report *report, const struct omp_region *region)
{
	if (!region)
		return memory_copy_text("none");
	const struct routine *routine = names_routine(report->run->names, region->place.routine);

	return region->place.line
		       ? memory_print("%s:%u", routine->name, (unsigned)region->place.line)
		       : memory_copy_text(routine->name);
}

/* "compute:12 (x.c)", "inner:30 in outer:12": if there is no room for all, routine and line matter
 * more than the file. */
static char *place_text(const struct report *report, const struct omp_region *region)
{
	const struct omp_regions *regions = &report->run->omp.regions;
	const char *file = names_routine(report->run->names, region->place.routine)->file;
	char *place = region_text(report, region);

	if (region->parent != OMP_NO_REGION) {
		char *outer = region_text(report, &regions->rows[region->parent]);
		char *nested = memory_print("%s in %s", place, outer);

		free(outer);
		free(place);
		return nested;
	}
	if (!file)
		return place;
	char *text = memory_print("%s (%s)", place, runtime_base_name(file));
	free(place);
	return text;
}

static struct value parent_of(const struct report *report, const struct omp_region *region)
{
	struct json_object *object;

	if (region->parent == OMP_NO_REGION)
		return (struct value){.kind = VALUE_NONE};
	const struct merged_place *place = &report->run->omp.regions.rows[region->parent].place;

	object = json_object_new_object();
	report_add_place(report, object, place->routine, place->line);
	return (struct value){.kind = VALUE_JSON, .json = object};
}

/* ---- constructs and tasks */

static bool is_timed(const struct omp_construct_row *row)
{
	return vocabulary_construct_time(row->construct) != OMP_TIME_COUNT;
}

/* For a loop it is extrapolated from the pieces that were timed; a static loop has none. */
static struct value construct_time(const struct omp_construct_row *row)
{
	if (!isfinite(row->ns))
		return (struct value){.kind = row->asked > 0 ? VALUE_UNKNOWN : VALUE_NONE};
	return (struct value){.kind = VALUE_REAL_SECONDS,
			      .grade = row->timed < row->asked ? GRADE_SAMPLED : GRADE_EXACT,
			      .real = row->ns};
}

/* For a lock only the entries that waited are known here. */
static char *construct_count(const struct omp_construct_row *row)
{
	uint64_t count = report_openmp_count(row->count);

	if (vocabulary_construct_time(row->construct) != OMP_TIME_LOCK)
		return text_count(count);
	return memory_copy_text(quantity_things((double)count, "wait").text);
}

static struct value mean_delay(const struct omp_task_row *row)
{
	double deferred = row->executed - row->undeferred;

	if (!(deferred > 0))
		return (struct value){.kind = VALUE_NONE};
	return (struct value){.kind = VALUE_REAL_SECONDS, .real = row->delay_ns / deferred};
}

#define ROW       const struct omp_member
#define ROW_NAME  omp_members
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

#define ROW      const struct omp_line
#define ROW_NAME omp_constructs
#include "analyze/report/define_fields.h"

#define ROW      const struct omp_line
#define ROW_NAME omp_tasks
#include "analyze/report/define_fields.h"

struct json_object *report_openmp_constructs(const struct report *report,
					     const struct omp_region *region)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_line line = {.construct = &region->constructs[i]};

		json_object_array_add(list, row_json(report, &omp_constructs_fields, &line));
	}
	return list;
}

struct json_object *report_openmp_tasks(const struct report *report,
					const struct omp_region *region)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < region->task_count; i++) {
		const struct omp_line line = {.task = &region->tasks[i]};

		json_object_array_add(list, row_json(report, &omp_tasks_fields, &line));
	}
	return list;
}

#define ROW      const struct omp_region
#define ROW_NAME omp_regions
#include "analyze/report/define_fields.h"

/* ---- text */

static void print_regions(const struct report *report)
{
	const struct omp_regions *regions = &report->run->omp.regions;
	struct row_table *table = row_table_create(report, &omp_regions_fields);

	for (size_t i = 0; i < report_rows(report, regions->count); i++) {
		row_table_add(table, &regions->rows[i]);
		if (regions->rows[i].advice && (i < ADVISED_ROWS || !report->top))
			row_table_add_detail(table,
					     memory_print("change: %s", regions->rows[i].advice));
	}
	row_table_print(table);
	report_print_rest(report, regions->count);
}

/* Constructs and tasks of all regions together, the most time first. */

struct lines {
	struct omp_line *rows;
	size_t count, capacity;
};

static void add(struct lines *lines, struct omp_line line)
{
	lines->rows = memory_grow(lines->rows, lines->count, &lines->capacity, sizeof *lines->rows);
	lines->rows[lines->count++] = line;
}

/* Ends of constructs whose time is unknown come last, in their order. */
static int compare_lines(const void *left, const void *right)
{
	const struct omp_line *a = left, *b = right;
	double a_ns = isfinite(a->ns) ? a->ns : -1, b_ns = isfinite(b->ns) ? b->ns : -1;

	if (a_ns != b_ns)
		return a_ns < b_ns ? 1 : -1;
	if (a->construct && b->construct)
		return (a->construct > b->construct) - (a->construct < b->construct);
	return (a->task > b->task) - (a->task < b->task);
}

static void gather(const struct omp_region *region, bool is_outside, struct lines *constructs,
		   struct lines *tasks)
{
	const struct omp_region *shown = is_outside ? NULL : region;

	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_construct_row *row = &region->constructs[i];

		if (is_timed(row))
			add(constructs, (struct omp_line){shown, row, NULL, row->ns});
	}
	for (size_t i = 0; i < region->task_count; i++)
		add(tasks,
		    (struct omp_line){shown, NULL, &region->tasks[i], region->tasks[i].work_ns});
}

static void gather_all(const struct omp_regions *regions, struct lines *constructs,
		       struct lines *tasks)
{
	for (size_t i = 0; i < regions->count; i++)
		gather(&regions->rows[i], false, constructs, tasks);
	gather(&regions->outside, true, constructs, tasks);
	if (constructs->count)
		qsort(constructs->rows, constructs->count, sizeof *constructs->rows, compare_lines);
	if (tasks->count)
		qsort(tasks->rows, tasks->count, sizeof *tasks->rows, compare_lines);
}

void report_openmp_regions_text(const struct report *report)
{
	struct lines constructs = {0}, tasks = {0};

	print_regions(report);
	gather_all(&report->run->omp.regions, &constructs, &tasks);
	if (constructs.count)
		rows_text(report, &omp_constructs_fields, constructs.rows, constructs.count,
			  sizeof *constructs.rows);
	if (tasks.count)
		rows_text(report, &omp_tasks_fields, tasks.rows, tasks.count, sizeof *tasks.rows);
	free(constructs.rows);
	free(tasks.rows);
}
