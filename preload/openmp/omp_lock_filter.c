/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_lock_filter.h"

#include <string.h>

struct omp_lock omp_locks[OMP_LOCKS];

void omp_lock_reset(void)
{
	memset(omp_locks, 0, sizeof omp_locks);
}
