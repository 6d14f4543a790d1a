/* SPDX-License-Identifier: MIT */
#include "analyze/model/openmp/omp_advice.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/openmp/omp_regions.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- what a region has */

static double construct_count(const struct omp_region *region, enum omp_construct construct)
{
	double sum = 0;

	for (size_t i = 0; i < region->construct_count; i++)
		if (region->constructs[i].construct == construct)
			sum += region->constructs[i].count;
	return sum;
}

/* The runtime hands out no pieces of static loops. */
static double pieces_of(const struct omp_region *region, enum omp_construct construct)
{
	double sum = 0;

	for (size_t i = 0; i < region->construct_count; i++)
		if (region->constructs[i].construct == construct)
			sum += region->constructs[i].pieces;
	return sum;
}

static double tasks_run(const struct omp_region *region, double *work_ns)
{
	double count = 0;

	*work_ns = 0;
	for (size_t i = 0; i < region->task_count; i++) {
		count += region->tasks[i].executed;
		*work_ns += region->tasks[i].work_ns;
	}
	return count;
}

static bool has_small_tasks(const struct omp_region *region)
{
	double work_ns, count = tasks_run(region, &work_ns);

	return count > 0 && work_ns < finding_limits.omp_small_task * count;
}

/* In gcc's runtime the call that starts the region also returns the first section. */
static bool has_sections(const struct omp_region *region)
{
	return construct_count(region, OMP_CONSTRUCT_SECTIONS) > 0 ||
	       construct_count(region, OMP_CONSTRUCT_SECTIONS_END) > 0;
}

static bool has_tasks(const struct omp_region *region)
{
	double work_ns;

	return tasks_run(region, &work_ns) > 0;
}

static bool is_short(const struct omp_region *region)
{
	return region->count > 0 &&
	       region->elapsed_ns < finding_limits.omp_short_region * region->count;
}

/* Thread time lost by unequal work. */
static double uneven_ns(const struct omp_region *region)
{
	double waits = region->barrier_ns + region->task_wait_ns;

	return fmin(region->imbalance_ns * omp_region_team(region), waits);
}

/* ---- what each problem costs: thread time */

static double lost_in(const struct omp_region *region, enum omp_construct construct)
{
	return omp_region_construct_ns(region, construct);
}

static double lost_in_critical(const struct omp_region *region)
{
	return lost_in(region, OMP_CONSTRUCT_CRITICAL) + lost_in(region, OMP_CONSTRUCT_ATOMIC);
}

static double lost_in_locks(const struct omp_region *region)
{
	return lost_in(region, OMP_CONSTRUCT_OMP_LOCK);
}

static double lost_in_order(const struct omp_region *region)
{
	return lost_in(region, OMP_CONSTRUCT_ORDERED) + region->order_ns;
}

double omp_small_pieces(const struct omp_region *region)
{
	double pieces = pieces_of(region, OMP_CONSTRUCT_LOOP);

	return omp_region_team(region) > 1 &&
			       region->work_ns < finding_limits.omp_small_piece * pieces
		       ? pieces
		       : 0;
}

double omp_lost_in_scheduling(const struct omp_region *region)
{
	return isfinite(region->scheduling_ns) ? region->scheduling_ns : 0;
}

double omp_lost_in_forks(const struct omp_region *region)
{
	return is_short(region) ? region->fork_ns + region->join_ns : 0;
}

double omp_lost_in_small_tasks(const struct omp_region *region)
{
	return has_small_tasks(region) ? region->task_wait_ns + region->join_ns : 0;
}

double omp_small_tasks(const struct omp_region *region)
{
	double work_ns;

	return has_small_tasks(region) ? tasks_run(region, &work_ns) : 0;
}

static double lost_in_few_tasks(const struct omp_region *region)
{
	return has_tasks(region) && !has_small_tasks(region) ? uneven_ns(region) : 0;
}

/* Tasks that depend on each other cannot run at once. */
static double lost_in_dependences(const struct omp_region *region)
{
	double dependences = 0;

	for (size_t i = 0; i < region->task_count; i++)
		dependences += region->tasks[i].dependences;
	return dependences > 0 && !has_small_tasks(region) ? uneven_ns(region) : 0;
}

static double lost_in_singles(const struct omp_region *region)
{
	return has_tasks(region) ? 0 : lost_in(region, OMP_CONSTRUCT_SINGLE_END);
}

static double lost_in_sections(const struct omp_region *region)
{
	return has_sections(region) ? uneven_ns(region) : 0;
}

static double lost_in_large_pieces(const struct omp_region *region)
{
	double pieces = pieces_of(region, OMP_CONSTRUCT_LOOP);

	return pieces > 0 && pieces < finding_limits.omp_pieces * region->team_count
		       ? uneven_ns(region)
		       : 0;
}

bool omp_has_given_shares(const struct omp_region *region)
{
	return !is_short(region) && !has_tasks(region) && !has_sections(region) &&
	       !(pieces_of(region, OMP_CONSTRUCT_LOOP) > 0);
}

static double lost_by_sharing(const struct omp_region *region)
{
	return omp_has_given_shares(region) ? uneven_ns(region) : 0;
}

double omp_lost_by_imbalance(const struct omp_region *region)
{
	return is_short(region) || has_small_tasks(region) ? 0 : uneven_ns(region);
}

static size_t waiting_places(const struct omp_region *region)
{
	size_t count = 0;

	for (size_t i = 0; i < region->construct_count; i++)
		count +=
			vocabulary_construct_time(region->constructs[i].construct) == OMP_TIME_WAIT;
	return count;
}

/* Members with equal work in total may wait for each other by turns. If there is only one barrier,
 * nothing may follow it but the end of the region, where they would wait anyway. */
static double lost_at_barriers(const struct omp_region *region)
{
	if (waiting_places(region) < 2)
		return 0;
	double inner = region->barrier_ns - region->join_ns - lost_in_singles(region);

	return fmax(0, inner - uneven_ns(region));
}

/* A static loop of gcc, and the barrier at its end, look like any other work, and any other
 * barrier: advice has to suit both.
 *
 * From causes to symptoms: of two that cost the same, the earlier is given. Thresholds in percent
 * of team x elapsed. */
static const struct {
	double threshold_percent;
	double (*lost_ns)(const struct omp_region *region);
	const char *advice;
} rules[] = {
	/* 5 %: good programs lose a fraction of a percent to locks */
	{5, lost_in_critical,
	 "use a reduction or atomic in the place of the critical section, or do less in it"},
	{5, lost_in_locks,
	 "do less under the lock, or give each part of the data a lock of its own"},
	{5, lost_in_order, "take what needs no order out of the ordered part"},
	/* 5 %: chunks ten times as large make it 0.5 % */
	{5, omp_lost_in_scheduling, "larger chunks: schedule(dynamic, N)"},
	/* 25 %: start and end of a team are the price of a region; below 100 us they are much of it
	 */
	{25, omp_lost_in_forks,
	 "fewer, longer regions: one parallel around several loops, if(n > ...) for small ones"},
	{10, omp_lost_in_small_tasks,
	 "fewer, larger tasks: stop making tasks below a size (if, final), or grainsize"},
	/* 5 %: as for waits of threads elsewhere */
	{5, lost_in_dependences, "fewer dependences between tasks, or more of such chains at once"},
	{5, lost_in_few_tasks, "more, smaller tasks: some threads have none left at the end"},
	{5, lost_in_singles, "let the others go on: nowait, or tasks made by one thread"},
	{5, lost_in_sections, "sections of equal length, or tasks in their place"},
	{5, lost_in_large_pieces, "smaller chunks: some threads get a piece less than others"},
	{5, lost_by_sharing,
	 "share the work out on demand: schedule(dynamic) for a static loop, tasks for other work"},
	{5, lost_at_barriers,
	 "no barrier (after a loop: nowait) where the next step does not need all of the last one"},
};

const char *omp_advice_for(const struct omp_region *region)
{
	const char *advice = NULL;
	double most_ns = 0;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		double lost_ns = rules[i].lost_ns(region);

		if (100 * lost_ns < rules[i].threshold_percent * region->team_elapsed_ns ||
		    !(lost_ns > most_ns))
			continue;
		most_ns = lost_ns;
		advice = rules[i].advice;
	}
	return advice;
}
