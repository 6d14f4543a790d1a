/* SPDX-License-Identifier: MIT */
/* The parts of the section openmp, shared by its files only, but for the row of its constructs and
 * tasks, which comparisons have as well. */
#pragma once

#include "analyze/report/report.h"

/* A row of omp_constructs_fields or omp_tasks_fields: either of the two, of a region. */
struct omp_line {
	const struct omp_region *region; /* NULL: outside of all, or not shown */
	const struct omp_construct_row *construct;
	const struct omp_task_row *task;
	double ns;
};

/* The tables of regions, constructs and tasks. */
void report_openmp_regions_text(const struct report *report);

/* Its rows, as lists. */
struct json_object *report_openmp_constructs(const struct report *report,
					     const struct omp_region *region);
struct json_object *report_openmp_tasks(const struct report *report,
					const struct omp_region *region);

/* The part of the waits in the runtime for which threads were ready for a processor. */
double report_openmp_ready_ns(const struct omp_totals *totals);

/* Is there a team of several threads, so that there is an efficiency of it? */
bool report_openmp_has_teams(const struct omp *omp);

/* "active", "passive"; NULL: not set. */
const char *report_openmp_policy(const struct omp *omp);

/* A sum of counts as a number: a damaged merged run may hold anything. */
static inline uint64_t report_openmp_count(double count)
{
	return count > 0 && count < 1e18 ? (uint64_t)count : 0;
}
