/* SPDX-License-Identifier: MIT */
/* The end of the accumulator: sorts rows, and computes what follows from them for each region. */
#define _GNU_SOURCE 1
#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/openmp/omp_advice.h"
#include "analyze/model/openmp/omp_regions_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- order: numbers depend on what was read first, names do not */

static int compare_places(const struct names *names, struct frame a, struct frame b)
{
	int order = a.routine == b.routine ? 0 : names_compare(names, a.routine, b.routine);

	return order ? order : (a.line > b.line) - (a.line < b.line);
}

static int more_first(double a, double b)
{
	return (a < b) - (a > b);
}

/* Sorts unknown times after known ones. */
static double known(double ns)
{
	return isfinite(ns) ? ns : -1;
}

static int compare_constructs(const void *left, const void *right, void *names)
{
	const struct omp_construct_row *a = left, *b = right;
	int order = (a->region > b->region) - (a->region < b->region);

	if (!order)
		order = more_first(known(a->ns), known(b->ns));
	if (!order)
		order = more_first(a->count, b->count);
	if (!order)
		order = (int)a->construct - (int)b->construct;
	return order ? order : compare_places(names, PLACE_OF(a), PLACE_OF(b));
}

static int compare_tasks(const void *left, const void *right, void *names)
{
	const struct omp_task_row *a = left, *b = right;
	int order = (a->region > b->region) - (a->region < b->region);

	if (!order)
		order = more_first(a->work_ns, b->work_ns);
	if (!order)
		order = more_first(a->created, b->created);
	return order ? order : compare_places(names, PLACE_OF(a), PLACE_OF(b));
}

static int compare_members(const void *left, const void *right)
{
	const struct omp_member *a = left, *b = right;

	if (a->region != b->region)
		return a->region > b->region ? 1 : -1;
	if (a->process != b->process)
		return a->process > b->process ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_regions(const void *left, const void *right, void *names)
{
	const struct omp_region *a = left, *b = right;
	int order = more_first(a->gain_ns, b->gain_ns);

	if (!order)
		order = more_first(a->team_elapsed_ns, b->team_elapsed_ns);
	if (!order)
		order = compare_places(names, PLACE_OF(&a->place), PLACE_OF(&b->place));
	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

/* ---- rows to their regions */

/* An accumulator without rows of a kind has no array to point into. */
#define SLICE(region, rows, count, all, total, at)                                                 \
	do {                                                                                       \
		(region)->rows = (total) ? (all) + (at) : NULL;                                    \
		(region)->count = 0;                                                               \
		for (; (at) < (total) && (all)[at].region == (region)->id; (at)++)                 \
			(region)->count++;                                                         \
	} while (0)

/* Rows are sorted by region, and regions are still in the order of their ids. */
static void share_out_rows(struct omp_regions_accumulator *accumulator)
{
	size_t construct = 0, task = 0, member = 0;

	for (size_t i = 0; i < accumulator->region_count; i++) {
		struct omp_region *region = &accumulator->regions[i];

		SLICE(region, constructs, construct_count, accumulator->constructs,
		      accumulator->construct_count, construct);
		SLICE(region, tasks, task_count, accumulator->tasks, accumulator->task_count, task);
		SLICE(region, member_rows, member_count, accumulator->members,
		      accumulator->member_count, member);
	}
}

/* A loop hands out so many pieces that only some are timed; none are for static loops, and if the
 * runtime does not report pieces. */
static void extrapolate(struct omp_construct_row *row)
{
	bool has_pieces = vocabulary_construct_time(row->construct) == OMP_TIME_RUNTIME;

	row->ns = row->time_ns;
	if (has_pieces)
		row->ns = row->timed > 0 ? row->time_ns * row->asked / row->timed : NAN;
}

static void sort_rows(struct omp_regions_accumulator *accumulator)
{
	for (size_t i = 0; i < accumulator->construct_count; i++)
		extrapolate(&accumulator->constructs[i]);
	if (accumulator->construct_count)
		qsort_r(accumulator->constructs, accumulator->construct_count,
			sizeof *accumulator->constructs, compare_constructs, accumulator->names);
	if (accumulator->task_count)
		qsort_r(accumulator->tasks, accumulator->task_count, sizeof *accumulator->tasks,
			compare_tasks, accumulator->names);
	if (accumulator->member_count)
		qsort(accumulator->members, accumulator->member_count, sizeof *accumulator->members,
		      compare_members);
}

/* ---- what follows */

static double *sum_of(struct omp_region *region, enum omp_construct construct)
{
	switch (construct) {
	case OMP_CONSTRUCT_TASKWAIT:
	case OMP_CONSTRUCT_TASKGROUP:
	case OMP_CONSTRUCT_TASKLOOP:
		return &region->task_wait_ns;
	case OMP_CONSTRUCT_DOACROSS:
		return &region->order_ns;
	default:
		break;
	}
	switch (vocabulary_construct_time(construct)) {
	case OMP_TIME_WAIT:
		return &region->barrier_ns;
	case OMP_TIME_LOCK:
		return &region->lock_ns;
	case OMP_TIME_RUNTIME:
		return &region->scheduling_ns;
	default:
		return NULL;
	}
}

static void add_constructs(struct omp_region *region)
{
	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_construct_row *row = &region->constructs[i];
		double *sum = sum_of(region, row->construct);

		if (!sum)
			continue;
		*sum += row->ns;
		if (sum == &region->scheduling_ns && row->timed < row->asked)
			region->scheduling_grade = GRADE_SAMPLED;
	}
	if (!isfinite(region->scheduling_ns))
		region->scheduling_grade = GRADE_UNKNOWN;
}

static void judge(struct omp_region *region)
{
	double team = omp_region_team(region), inner_ns;

	add_constructs(region);
	inner_ns = region->barrier_ns;
	region->barrier_ns += region->join_ns;
	region->gain_ns = region->join_share_ns + (team > 0 ? inner_ns / team : 0);
	region->imbalance_percent =
		region->team_elapsed_ns > 0 ? 100 * region->join_ns / region->team_elapsed_ns : NAN;
}

/* A share of the thread time in all outermost regions: less is not worth a change. */
#define ADVISED_SHARE 0.01

static void advise(struct omp_regions *regions)
{
	double whole_ns = 0;

	for (size_t i = 0; i < regions->count; i++)
		if (regions->rows[i].parent == OMP_NO_REGION)
			whole_ns += regions->rows[i].team_elapsed_ns;
	for (size_t i = 0; i < regions->count; i++)
		if (regions->rows[i].team_elapsed_ns >= ADVISED_SHARE * whole_ns)
			regions->rows[i].advice = omp_advice_for(&regions->rows[i]);
}

/* The index of a sorted region is not its id; ids are below `ids`. */
static void find_parents(struct omp_regions *regions, size_t ids)
{
	size_t *places = memory_allocate(ids, sizeof *places);

	for (size_t i = 0; i < regions->count; i++)
		places[regions->rows[i].id - 1] = i;
	for (size_t i = 0; i < regions->count; i++)
		regions->rows[i].parent = regions->rows[i].parent
						  ? places[regions->rows[i].parent - 1]
						  : OMP_NO_REGION;
	free(places);
}

/* A place that was met, but of which nothing is known: the row that aggregates regions for which
 * there was no room, if there were none. */
static bool is_empty(const struct omp_region *region)
{
	return !(region->count > 0) && !(region->under_way_ns > 0) && !region->construct_count &&
	       !region->task_count && !region->member_count;
}

static void take_regions(struct omp_regions *regions,
			 const struct omp_regions_accumulator *accumulator)
{
	bool *is_parent = memory_allocate(accumulator->region_count, sizeof *is_parent);

	for (size_t i = 1; i < accumulator->region_count; i++)
		is_parent[accumulator->regions[i].parent] = true;
	for (size_t i = 1; i < accumulator->region_count; i++) {
		if (is_empty(&accumulator->regions[i]) && !is_parent[i])
			continue;
		regions->rows[regions->count] = accumulator->regions[i];
		judge(&regions->rows[regions->count++]);
	}
	free(is_parent);
}

struct omp_regions omp_regions_finish(struct omp_regions_accumulator *accumulator)
{
	struct omp_regions regions = {
		.rows = memory_allocate(accumulator->region_count, sizeof *regions.rows),
		.constructs = accumulator->constructs,
		.tasks = accumulator->tasks,
		.members = accumulator->members,
	};

	sort_rows(accumulator);
	share_out_rows(accumulator);
	regions.outside = accumulator->regions[0];
	add_constructs(&regions.outside);
	take_regions(&regions, accumulator);
	if (regions.count)
		qsort_r(regions.rows, regions.count, sizeof *regions.rows, compare_regions,
			accumulator->names);
	find_parents(&regions, accumulator->region_count);
	advise(&regions);
	accumulator->constructs = NULL;
	accumulator->tasks = NULL;
	accumulator->members = NULL;
	omp_regions_destroy(accumulator);
	return regions;
}

void omp_regions_clear(struct omp_regions *regions)
{
	free(regions->rows);
	free(regions->constructs);
	free(regions->tasks);
	free(regions->members);
	*regions = (struct omp_regions){0};
}
