/* SPDX-License-Identifier: MIT */
/* The internals of the accumulator of regions, for the files that fill it and finish it. */
#pragma once

#include "analyze/model/openmp/omp_regions.h"

/* Rows are in the order in which they were met; region 0 is everything outside of regions. */
struct omp_regions_accumulator {
	struct names *names;
	struct keyed_table *entries; /* rows by key */
	struct omp_region *regions;
	size_t region_count, region_capacity;
	struct omp_construct_row *constructs;
	size_t construct_count, construct_capacity;
	struct omp_task_row *tasks;
	size_t task_count, task_capacity;
	struct omp_member *members;
	size_t member_count, member_capacity;
};

void omp_region_unite(struct omp_region *into, const struct omp_region *from);
void omp_spread_unite(struct omp_spread *into, const struct omp_spread *from);

/* Of a construct, a task, or the place of a region. */
#define PLACE_OF(row) ((struct frame){.routine = (row)->routine, .line = (unsigned)(row)->line})
