/* SPDX-License-Identifier: MIT */
/* From the tables of a profile to rows of the accumulator. */
#include "analyze/base/memory.h"
#include "analyze/model/openmp/omp_places.h"
#include "analyze/model/openmp/omp_regions_parts.h"
#include "analyze/model/openmp/omp_under_way.h"
#include "analyze/model/process/process.h"

#include <math.h>
#include <stdlib.h>

static bool is_machinery(const struct omp_regions_accumulator *accumulator, struct frame place)
{
	return names_routine(accumulator->names, place.routine)->is_machinery;
}

/* If one runtime serves the calls of another, the place is inside it; the call path of the first
 * execution tells who called. */
static struct frame region_place(const struct omp_regions_accumulator *accumulator,
				 const struct profile *profile,
				 const struct profile_omp_region *row)
{
	struct frame place = omp_place_of(accumulator->names, profile, row->place,
					  row->flags & OMP_REGION_AT_ENTRY);

	return is_machinery(accumulator, place) && row->caller
		       ? omp_place_of(accumulator->names, profile, row->caller, false)
		       : place;
}

/* The ids of the profile's regions here; parents precede their children. */
static size_t *number_regions(struct omp_regions_accumulator *accumulator,
			      const struct profile *profile)
{
	size_t *ids = memory_allocate(profile->omp_regions.count + 1, sizeof *ids);

	for (size_t i = 1; i < profile->omp_regions.count; i++) {
		const struct profile_omp_region *row = &profile->omp_regions.rows[i];

		if (!row->kind)
			continue;
		struct frame place = region_place(accumulator, profile, row);
		struct omp_region region = {
			.kind = row->kind,
			.parent = ids[row->parent],
			.place = {place.routine, place.line},
		};

		ids[i] = omp_regions_unite(accumulator, &region);
	}
	return ids;
}

static void add_execution(struct omp_region *region, const struct profile_omp_execution *row)
{
	double team = row->team ? (double)row->team : 1, count = (double)row->count;
	struct omp_region one = {
		.team_min = row->count ? row->team : 0,
		.team_max = row->team,
		.min_ns = row->min_ns,
		.max_ns = row->max_ns,
		.count = count,
		.team_count = team * count,
		.members = (double)row->members,
		.elapsed_ns = (double)row->elapsed_ns,
		.fork_ns = (double)row->fork_ns,
		.work_ns = (double)row->work_ns,
		.wait_ns = (double)row->wait_ns,
		.join_ns = (double)row->join_ns,
		.work_max_ns = (double)row->work_max_ns,
		.team_elapsed_ns = team * (double)row->elapsed_ns,
		.imbalance_ns = fmax(0, (double)row->work_max_ns - (double)row->work_ns / team),
		.join_share_ns = (double)row->join_ns / team,
	};

	omp_region_unite(region, &one);
}

/* The instant of the beginning is kept for outermost regions only. */
static void add_under_way(struct omp_regions_accumulator *accumulator,
			  const struct profile *profile, const struct process *process,
			  const size_t *ids)
{
	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];

		if (ids[row->region])
			accumulator->regions[ids[row->region]].under_way_ns +=
				omp_under_way_ns(profile, row, process->life.end_ns);
	}
}

static int compare_members(const void *left, const void *right)
{
	const struct omp_member *a = left, *b = right;

	if (a->region != b->region)
		return a->region > b->region ? 1 : -1;
	if (a->number != b->number)
		return a->number > b->number ? 1 : -1;
	if (a->work_ns != b->work_ns)
		return a->work_ns > b->work_ns ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Rows of one number are adjacent, the most work first: nested teams have new threads with the same
 * number each time. */
static size_t unite_members(struct omp_member *rows, size_t count)
{
	size_t last = 0;

	if (count)
		qsort(rows, count, sizeof *rows, compare_members);
	for (size_t i = 1; i < count; i++) {
		struct omp_member *known = &rows[last];

		if (rows[i].region != known->region || rows[i].number != known->number) {
			rows[++last] = rows[i];
			continue;
		}
		known->count += rows[i].count;
		known->body_ns += rows[i].body_ns;
		known->work_ns += rows[i].work_ns;
	}
	return count ? last + 1 : 0;
}

static void add_member(struct omp_regions_accumulator *accumulator, const struct omp_member *member)
{
	struct omp_region *region = &accumulator->regions[member->region];
	double work = (double)member->work_ns;
	struct omp_spread one = {
		1, work, work, work, {member->process, member->number, member->pid, member->tid}};

	omp_spread_unite(&region->spread, &one);
	omp_regions_keep_member(accumulator, member);
}

static void add_members(struct omp_regions_accumulator *accumulator, const struct profile *profile,
			const struct process *process, const size_t *ids)
{
	struct omp_member *rows = memory_allocate(profile->omp_work.count + 1, sizeof *rows);
	size_t count = 0;

	for (size_t i = 0; i < profile->omp_work.count; i++) {
		const struct profile_omp_work *row = &profile->omp_work.rows[i];

		if (!ids[row->region])
			continue;
		rows[count++] = (struct omp_member){
			.region = ids[row->region],
			.process = process->index,
			.number = row->member,
			.pid = profile->header.pid,
			.tid = profile->threads.rows[row->thread].tid,
			.count = row->count,
			.body_ns = row->body_ns,
			.work_ns = row->work_ns,
		};
	}
	count = unite_members(rows, count);
	for (size_t i = 0; i < count; i++)
		add_member(accumulator, &rows[i]);
	free(rows);
}

/* A body that ends with a call of the runtime jumps there (a tail call): the return address is that
 * of the body's caller, which is the runtime. */
static struct frame place_in(const struct omp_regions_accumulator *accumulator, size_t region,
			     struct frame place)
{
	return region && is_machinery(accumulator, place)
		       ? PLACE_OF(&accumulator->regions[region].place)
		       : place;
}

static void add_construct(struct omp_regions_accumulator *accumulator,
			  const struct profile *profile, const struct profile_omp_construct *from,
			  size_t region)
{
	struct frame place = place_in(
		accumulator, region, omp_place_of(accumulator->names, profile, from->place, false));
	struct omp_construct_row one = {.region = region,
					.construct = from->construct,
					.routine = place.routine,
					.line = place.line,
					.count = (double)from->count,
					.time_ns = (double)from->time_ns,
					.max_ns = from->max_ns,
					SUMS_OF_omp_constructs(SUM_COPY_REAL)};

	if (!from->asked) /* older profiles counted all that were asked for as pieces */
		one.asked = one.pieces;
	if (from->construct != OMP_CONSTRUCT_NONE)
		omp_regions_unite_construct(accumulator, &one);
}

static void add_task(struct omp_regions_accumulator *accumulator, const struct profile *profile,
		     const struct profile_omp_task *from, size_t region)
{
	struct frame place = place_in(accumulator, region,
				      omp_place_of(accumulator->names, profile, from->place,
						   from->flags & OMP_TASKS_AT_ENTRY));
	struct omp_task_row one = {
		.region = region,
		.routine = place.routine,
		.line = place.line,
		.untimed = from->flags & OMP_TASKS_UNTIMED ? (double)from->created : 0,
		.delay_ns = (double)from->delay_ns,
		.max_ns = from->max_ns,
		.delay_max_ns = from->delay_max_ns,
		SUMS_OF_omp_tasks(SUM_COPY_REAL)};

	omp_regions_unite_task(accumulator, &one);
}

void omp_regions_add(struct omp_regions_accumulator *accumulator, const struct profile *profile,
		     const struct process *process)
{
	size_t *ids = number_regions(accumulator, profile);

	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *row = &profile->omp_executions.rows[i];

		if (ids[row->region])
			add_execution(&accumulator->regions[ids[row->region]], row);
	}
	add_under_way(accumulator, profile, process, ids);
	add_members(accumulator, profile, process, ids);
	for (size_t i = 0; i < profile->omp_constructs.count; i++)
		add_construct(accumulator, profile, &profile->omp_constructs.rows[i],
			      ids[profile->omp_constructs.rows[i].region]);
	for (size_t i = 0; i < profile->omp_tasks.count; i++)
		add_task(accumulator, profile, &profile->omp_tasks.rows[i],
			 ids[profile->omp_tasks.rows[i].region]);
	free(ids);
}
