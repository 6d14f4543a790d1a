/* SPDX-License-Identifier: MIT */
/* The identity of regions: the place where a team is started, and the region in whose body that
 * happens. Any thread; lock-free; only grows. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

enum {
	OMP_REGIONS_MOST = 2048,
	OMP_LEVELS_MOST = 8, /* deeper levels have no region of their own (recursion) */
};

/* The region for what does not fit into a table; 0: there is no room for that either. */
uint32_t omp_region_other(void);

/* The number of a region, made if need be; without room omp_region_other. place: with UNWIND_EXACT
 * if it is the entry of the body. caller: call path of its first execution. */
uint32_t omp_region_find(enum omp_region_kind kind, uint64_t place, uint32_t parent,
			 uint32_t caller);

/* The number of a region that is known; 0: it is not. */
uint32_t omp_region_known(enum omp_region_kind kind, uint64_t place, uint32_t parent);

/* Start-up and fork child. */
void omp_region_reset(void);
