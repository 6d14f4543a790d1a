/* SPDX-License-Identifier: MIT */
/* Rows of the accumulator, found by their keys and merged. They come from profiles
 * (omp_regions_add.c) or merged runs; omp_regions_finish.c computes the result from them. */
#include "analyze/model/openmp/omp_regions.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/openmp/omp_regions_parts.h"

#include <math.h>
#include <stdlib.h>

/* ---- rows by key */

enum row_kind { ROW_REGION, ROW_CONSTRUCT, ROW_TASK };

/* The key of a row, and its index. within: the parent, or the region. */
struct row_entry {
	size_t within, routine;
	uint64_t word;
	unsigned line;
	enum row_kind kind;
	size_t index;
};

/* The index of the row. If it is new that is `next`, and the caller fills it in. */
static size_t find_row(struct omp_regions_accumulator *accumulator, enum row_kind kind,
		       size_t within, uint64_t word, struct frame place, size_t next)
{
	const struct row_entry probe = {within, place.routine, word, place.line, kind, next};

	return ((struct row_entry *)keyed_table_enter(accumulator->entries, &probe, NULL))->index;
}

static struct omp_region *find_region(struct omp_regions_accumulator *accumulator, size_t parent,
				      uint64_t kind, struct merged_place place)
{
	size_t id = find_row(accumulator, ROW_REGION, parent, kind, PLACE_OF(&place),
			     accumulator->region_count);

	if (id == accumulator->region_count) {
		accumulator->regions =
			memory_grow(accumulator->regions, accumulator->region_count,
				    &accumulator->region_capacity, sizeof *accumulator->regions);
		accumulator->regions[accumulator->region_count++] = (struct omp_region){
			.place = place, .kind = kind, .parent = parent, .id = id};
	}
	return &accumulator->regions[id];
}

/* ---- sums */

/* Of equals the one that is first in the run: the order of files must not matter. */
static bool is_before(const struct omp_most *a, const struct omp_most *b)
{
	return a->process != b->process ? a->process < b->process : a->number < b->number;
}

void omp_spread_unite(struct omp_spread *into, const struct omp_spread *from)
{
	if (!from->members)
		return;
	if (!into->members || from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (!into->members || from->max_ns > into->max_ns ||
	    (from->max_ns == into->max_ns && is_before(&from->most, &into->most))) {
		into->max_ns = from->max_ns;
		into->most = from->most;
	}
	into->members += from->members;
	into->sum_ns += from->sum_ns;
}

void omp_region_unite(struct omp_region *into, const struct omp_region *from)
{
	merged_unite(MERGED_omp_regions, into, from);
	omp_spread_unite(&into->spread, &from->spread);
}

/* ---- rows from elsewhere */

size_t omp_regions_count(const struct omp_regions_accumulator *accumulator)
{
	return accumulator->region_count;
}

const struct omp_region *omp_regions_region(const struct omp_regions_accumulator *accumulator,
					    size_t id)
{
	return &accumulator->regions[id];
}

const struct omp_construct_row *
omp_regions_constructs(const struct omp_regions_accumulator *accumulator, size_t *count)
{
	*count = accumulator->construct_count;
	return accumulator->constructs;
}

const struct omp_task_row *omp_regions_tasks(const struct omp_regions_accumulator *accumulator,
					     size_t *count)
{
	*count = accumulator->task_count;
	return accumulator->tasks;
}

const struct omp_member *omp_regions_members(const struct omp_regions_accumulator *accumulator,
					     size_t *count)
{
	*count = accumulator->member_count;
	return accumulator->members;
}

size_t omp_regions_unite(struct omp_regions_accumulator *accumulator, const struct omp_region *row)
{
	struct omp_region *region = find_region(accumulator, row->parent, row->kind, row->place);

	omp_region_unite(region, row);
	return region->id;
}

void omp_regions_unite_construct(struct omp_regions_accumulator *accumulator,
				 const struct omp_construct_row *row)
{
	size_t index = find_row(accumulator, ROW_CONSTRUCT, row->region, row->construct,
				PLACE_OF(row), accumulator->construct_count);

	if (index < accumulator->construct_count) {
		merged_unite(MERGED_omp_constructs, &accumulator->constructs[index], row);
		return;
	}
	accumulator->constructs =
		memory_grow(accumulator->constructs, accumulator->construct_count,
			    &accumulator->construct_capacity, sizeof *accumulator->constructs);
	accumulator->constructs[accumulator->construct_count++] = *row;
}

void omp_regions_unite_task(struct omp_regions_accumulator *accumulator,
			    const struct omp_task_row *row)
{
	size_t index = find_row(accumulator, ROW_TASK, row->region, 0, PLACE_OF(row),
				accumulator->task_count);

	if (index < accumulator->task_count) {
		merged_unite(MERGED_omp_tasks, &accumulator->tasks[index], row);
		return;
	}
	accumulator->tasks = memory_grow(accumulator->tasks, accumulator->task_count,
					 &accumulator->task_capacity, sizeof *accumulator->tasks);
	accumulator->tasks[accumulator->task_count++] = *row;
}

void omp_regions_keep_member(struct omp_regions_accumulator *accumulator,
			     const struct omp_member *row)
{
	if (accumulator->regions[row->region].member_count >= OMP_MEMBERS_MAX)
		return;
	accumulator->regions[row->region].member_count++;
	accumulator->members =
		memory_grow(accumulator->members, accumulator->member_count,
			    &accumulator->member_capacity, sizeof *accumulator->members);
	accumulator->members[accumulator->member_count++] = *row;
}

/* ---- life */

struct omp_regions_accumulator *omp_regions_create(struct names *names)
{
	struct omp_regions_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->entries =
		keyed_table_create(sizeof(struct row_entry), offsetof(struct row_entry, index));
	find_region(accumulator, 0, OMP_REGION_NONE, (struct merged_place){0});
	return accumulator;
}

void omp_regions_destroy(struct omp_regions_accumulator *accumulator)
{
	keyed_table_destroy(accumulator->entries);
	free(accumulator->regions);
	free(accumulator->constructs);
	free(accumulator->tasks);
	free(accumulator->members);
	free(accumulator);
}

/* ---- figures of a region */

double omp_region_team(const struct omp_region *region)
{
	return region->count > 0 ? region->team_count / region->count : 0;
}

double omp_region_mean_work(const struct omp_region *region)
{
	return region->spread.members ? region->spread.sum_ns / (double)region->spread.members
				      : NAN;
}

double omp_region_construct_ns(const struct omp_region *region, enum omp_construct construct)
{
	double sum = 0;

	for (size_t i = 0; i < region->construct_count; i++)
		if (region->constructs[i].construct == construct)
			sum += region->constructs[i].ns;
	return sum;
}
