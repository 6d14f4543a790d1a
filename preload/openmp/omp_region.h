/* SPDX-License-Identifier: MIT */
/* The identity of regions: by the place where a team is started and by the region in whose body
 * that is met. Any thread; lock-free; only grows. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

enum {
	OMP_REGIONS_MOST = 2048,
	OMP_LEVELS_MOST = 8, /* deeper ones are of the same region: a recursion has no end */
};

/* What finds no room in a table is of this region; 0: not even that. */
uint32_t omp_region_other(void);

/* place: an address in the code, with UNWIND_EXACT when it is the entry of the body. caller: the
 * call path of its first execution. Without room: omp_region_other. */
uint32_t omp_region_find(enum omp_region_kind kind, uint64_t place, uint32_t parent,
			 uint32_t caller);

/* The number that the same call has had before; 0: none. */
uint32_t omp_region_known(enum omp_region_kind kind, uint64_t place, uint32_t parent);

/* Start-up and fork child. */
void omp_region_reset(void);
