/* SPDX-License-Identifier: MIT */
/* The parts of the section openmp, shared by its files only. */
#pragma once

#include "analyze/report/report.h"

/* The tables of regions, constructs and tasks. */
void report_openmp_regions_text(const struct report *report);

/* Its rows, as lists. */
struct json_object *report_openmp_constructs(const struct report *report,
					     const struct omp_region *region);
struct json_object *report_openmp_tasks(const struct report *report,
					const struct omp_region *region);

/* The part of the waits in the runtime for which threads were ready for a processor. */
double report_openmp_ready_ns(const struct omp_totals *totals);

/* "active", "passive"; NULL: not set. */
const char *report_openmp_policy(const struct omp *omp);

/* A sum of counts as a number: a damaged merged run may hold anything. */
static inline uint64_t report_openmp_count(double count)
{
	return count > 0 && count < 1e18 ? (uint64_t)count : 0;
}
