/* SPDX-License-Identifier: MIT */
/* OpenMP region by region, and the constructs and tasks in them. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_openmp.h"

#include <math.h>
#include <stdlib.h>

/* Regions after these have no line of advice: there is little to gain. */
#define ADVISED_ROWS 5

static char *seconds_or_unknown(double ns)
{
	return isfinite(ns) ? text_seconds(ns) : memory_copy_text("?");
}

static char *nothing(void)
{
	return memory_copy_text("");
}

static char *counted(double count)
{
	return count > 0 ? text_count(report_openmp_count(count)) : nothing();
}

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

	return region->place.line ? memory_print("%s:%u", routine->name, region->place.line)
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

static void add_region(const struct report *report, struct text_table *table,
		       const struct omp_region *region)
{
	const struct omp_spread *spread = &region->spread;
	double unknown = spread->members ? 0 : NAN;

	text_table_add(table, place_text(report, region));
	text_table_add(table, text_count(report_openmp_count(region->count)));
	text_table_add(table, team_text(region));
	text_table_add(table, text_seconds(region->elapsed_ns));
	text_table_add(table, seconds_or_unknown(spread->min_ns + unknown));
	text_table_add(table, seconds_or_unknown(omp_region_mean_work(region)));
	text_table_add(table, seconds_or_unknown(spread->max_ns + unknown));
	text_table_add(table, text_seconds(region->wait_ns + region->join_ns));
	text_table_add(table, isfinite(region->imbalance_percent)
				      ? text_percent(region->imbalance_percent)
				      : memory_copy_text("?"));
	text_table_add(table, text_seconds(region->gain_ns));
}

static void print_regions(const struct report *report)
{
	static const struct text_column columns[] = {
		{"region", TEXT_FLEXIBLE}, {"count", TEXT_SPARE},    {"team", TEXT_RIGHT},
		{"elapsed", TEXT_RIGHT},   {"work min", TEXT_SPARE}, {"mean", TEXT_SPARE},
		{"max", TEXT_SPARE},       {"waits", TEXT_RIGHT},    {"imbal.", TEXT_RIGHT},
		{"gain", TEXT_RIGHT}};
	const struct omp_regions *regions = &report->run->omp.regions;
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, regions->count); i++) {
		add_region(report, table, &regions->rows[i]);
		if (regions->rows[i].advice && (i < ADVISED_ROWS || !report->top))
			text_table_add_detail(table,
					      memory_print("change: %s", regions->rows[i].advice));
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, regions->count);
}

/* ---- constructs and tasks, of all regions together, the most time first */

struct line {
	const struct omp_region *region; /* NULL: outside of all */
	const struct omp_construct_row *construct;
	const struct omp_task_row *task;
	double ns;
};

struct lines {
	struct line *rows;
	size_t count, capacity;
};

static void add(struct lines *lines, struct line line)
{
	lines->rows = memory_grow(lines->rows, lines->count, &lines->capacity, sizeof *lines->rows);
	lines->rows[lines->count++] = line;
}

/* Ends of constructs whose time is unknown come last, in their order. */
static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
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

		if (vocabulary_construct_time(row->construct) != OMP_TIME_COUNT)
			add(constructs, (struct line){shown, row, NULL, row->ns});
	}
	for (size_t i = 0; i < region->task_count; i++)
		add(tasks, (struct line){shown, NULL, &region->tasks[i], region->tasks[i].work_ns});
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

/* For a loop it is extrapolated from the pieces that were timed; a static loop has none. */
static char *construct_time(const struct report *report, const struct omp_construct_row *row)
{
	bool is_sampled = row->timed < row->asked;

	if (!isfinite(row->ns))
		return row->asked > 0 ? memory_copy_text("?") : nothing();
	return report_graded_seconds(report, row->ns, is_sampled ? GRADE_SAMPLED : GRADE_EXACT);
}

/* For a lock only the entries that waited are known here. */
static char *construct_count(const struct omp_construct_row *row)
{
	uint64_t count = report_openmp_count(row->count);

	if (vocabulary_construct_time(row->construct) != OMP_TIME_LOCK)
		return text_count(count);
	return memory_copy_text(quantity_things((double)count, "wait").text);
}

static void print_constructs(const struct report *report, const struct lines *lines)
{
	static const struct text_column columns[] = {
		{"construct", TEXT_LEFT}, {"at", TEXT_FLEXIBLE}, {"in region", TEXT_FLEXIBLE},
		{"count", TEXT_RIGHT},    {"time", TEXT_RIGHT},  {"longest", TEXT_RIGHT},
		{"pieces", TEXT_RIGHT}};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, lines->count); i++) {
		const struct omp_construct_row *row = lines->rows[i].construct;

		text_table_add(table, memory_copy_text(vocabulary_construct(row->construct)));
		text_table_add(table, report_place(report, row->place.routine, row->place.line));
		text_table_add(table, region_text(report, lines->rows[i].region));
		text_table_add(table, construct_count(row));
		text_table_add(table, construct_time(report, row));
		text_table_add(table, row->max_ns ? text_seconds((double)row->max_ns) : nothing());
		text_table_add(table, counted(row->pieces));
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, lines->count);
}

static void print_tasks(const struct report *report, const struct lines *lines)
{
	static const struct text_column columns[] = {{"tasks made at", TEXT_FLEXIBLE},
						     {"in region", TEXT_FLEXIBLE},
						     {"made", TEXT_RIGHT},
						     {"run", TEXT_RIGHT},
						     {"at once", TEXT_RIGHT},
						     {"by others", TEXT_RIGHT},
						     {"work", TEXT_RIGHT},
						     {"longest", TEXT_RIGHT},
						     {"mean delay", TEXT_RIGHT}};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < report_rows(report, lines->count); i++) {
		const struct omp_task_row *row = lines->rows[i].task;
		double deferred = row->executed - row->undeferred;
		bool is_known = omp_tasks_are_known(row);

		text_table_add(table, report_place(report, row->place.routine, row->place.line));
		text_table_add(table, region_text(report, lines->rows[i].region));
		text_table_add(table, text_count(report_openmp_count(row->created)));
		text_table_add(table, is_known ? text_count(report_openmp_count(row->executed))
					       : memory_copy_text("?"));
		text_table_add(table, counted(row->undeferred));
		text_table_add(table, counted(row->stolen));
		text_table_add(table,
			       is_known ? text_seconds(row->work_ns) : memory_copy_text("?"));
		text_table_add(table, is_known ? text_seconds((double)row->max_ns) : nothing());
		text_table_add(table,
			       deferred > 0 ? text_seconds(row->delay_ns / deferred) : nothing());
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, lines->count);
}

void report_openmp_regions_text(const struct report *report)
{
	struct lines constructs = {0}, tasks = {0};

	print_regions(report);
	gather_all(&report->run->omp.regions, &constructs, &tasks);
	if (constructs.count)
		print_constructs(report, &constructs);
	if (tasks.count)
		print_tasks(report, &tasks);
	free(constructs.rows);
	free(tasks.rows);
}
