/* SPDX-License-Identifier: MIT */
/* The OpenMP regions of a run: where teams worked, how long, and what each region lost.
 *
 * A region is a place in the program, met in the body of another region or in none, in all threads
 * and processes. Rows are summed over its executions; times are of all members together unless said
 * otherwise. Every row fulfils team x elapsed = fork + work + wait + join (docs/report.md).
 *
 *   imbalance  sum over executions of (most work of a member - mean work): what sharing the work
 *              better could win
 *   gain       (waits at barriers, the closing one included) / team: by how much the region could
 *              be shorter if nobody waited there
 *
 * Accumulator as in accumulator.h. Context: pure but for names. Times in nanoseconds; NAN is
 * unknown. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/common/names.h"
#include "analyze/tables/merged.h"

struct process;
struct omp_regions_accumulator;

#define OMP_NO_REGION SIZE_MAX
/* Members of a region that have a row: what further members did counts in its spread only. */
#define OMP_MEMBERS_MAX 1024

/* Thread `number` of the teams of one process. Columns: merged.def. process: index in
 * run->processes; region: its id, or index. */
struct omp_member {
	struct merged_omp_members;
};

struct omp_construct_row {
	struct merged_omp_constructs; /* region: its id, or index */
	double ns; /* time_ns, extrapolated from the timed ones to all (asked); NAN: none was timed
		    */
};

/* untimed: created tasks of which nothing else is known. */
struct omp_task_row {
	struct merged_omp_tasks; /* region: its id, or index */
};

/* Columns: merged.def. kind: OMP_REGION_NONE: everything outside of regions; parent: index, or
 * OMP_NO_REGION; in the accumulator its id, or 0; under_way_ns: in no other figure; spread: how
 * evenly members worked, over processes and numbers. */
struct omp_region {
	struct merged_omp_regions;
	size_t id; /* number in the accumulator; `region` of the rows below */

	/* computed from the above and from the rows below by omp_regions_finish */
	double barrier_ns;    /* at barriers and ends of constructs, the closing barrier included */
	double lock_ns;       /* for critical, ordered, locks, atomic */
	double task_wait_ns;  /* taskwait, taskgroup, taskloop */
	double order_ns;      /* ordered depend(sink) */
	double scheduling_ns; /* handing out pieces of loops and sections, and making taskloops;
				 NAN: no piece was timed */
	enum grade scheduling_grade;
	double gain_ns, imbalance_percent;
	const char *advice; /* NULL: nothing to change, or no remedy is known */

	struct omp_construct_row *constructs; /* the most time first */
	struct omp_task_row *tasks;           /* the most work first */
	struct omp_member *member_rows;       /* by process and number */
	size_t construct_count, task_count, member_count;
};

struct omp_regions {
	struct omp_region *rows; /* the most to gain first */
	size_t count;
	struct omp_region outside;            /* constructs and tasks that were met in no region */
	struct omp_construct_row *constructs; /* arrays of which the rows have slices */
	struct omp_task_row *tasks;
	struct omp_member *members;
};

struct omp_regions_accumulator *omp_regions_create(struct names *names);
void omp_regions_add(struct omp_regions_accumulator *accumulator, const struct profile *profile,
		     const struct process *process);
struct omp_regions omp_regions_finish(struct omp_regions_accumulator *accumulator);
/* Instead of finishing. */
void omp_regions_destroy(struct omp_regions_accumulator *accumulator);
void omp_regions_clear(struct omp_regions *regions);

/* Is more known of the tasks than that they were created? */
static inline bool omp_tasks_are_known(const struct omp_task_row *row)
{
	return !(row->untimed > 0) || row->executed > 0;
}

/* Mean number of threads of its executions; 0 without any. */
double omp_region_team(const struct omp_region *region);
/* Mean work of its members, and per execution; NAN without any. */
double omp_region_mean_work(const struct omp_region *region);
/* Waits of the constructs of a kind. */
double omp_region_construct_ns(const struct omp_region *region, enum omp_construct construct);

/* For merged runs: the rows so far, in no order, and functions that add rows of another accumulator
 * to this one; their regions and parents are ids. Region 0 is everything outside of regions. */
size_t omp_regions_count(const struct omp_regions_accumulator *accumulator);
const struct omp_region *omp_regions_region(const struct omp_regions_accumulator *accumulator,
					    size_t id);
const struct omp_construct_row *
omp_regions_constructs(const struct omp_regions_accumulator *accumulator, size_t *count);
const struct omp_task_row *omp_regions_tasks(const struct omp_regions_accumulator *accumulator,
					     size_t *count);
const struct omp_member *omp_regions_members(const struct omp_regions_accumulator *accumulator,
					     size_t *count);
/* Returns the id of the region into which the row was merged. */
size_t omp_regions_unite(struct omp_regions_accumulator *accumulator, const struct omp_region *row);
void omp_regions_unite_construct(struct omp_regions_accumulator *accumulator,
				 const struct omp_construct_row *row);
void omp_regions_unite_task(struct omp_regions_accumulator *accumulator,
			    const struct omp_task_row *row);
/* Adds the row only: its work is in the spread already. */
void omp_regions_keep_member(struct omp_regions_accumulator *accumulator,
			     const struct omp_member *row);
