/* SPDX-License-Identifier: MIT */
/* The internals of the accumulator of OpenMP, for the accumulator itself and for the code that
 * writes it to merged runs and reads it back. */
#pragma once

#include "analyze/model/openmp/omp_accumulator.h"

struct omp_accumulator {
	struct names *names;
	struct omp_totals totals;
	struct omp_regions_accumulator *regions;
};

void omp_totals_unite(struct omp_totals *into, const struct omp_totals *from);
