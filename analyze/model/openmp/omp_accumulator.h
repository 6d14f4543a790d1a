/* SPDX-License-Identifier: MIT */
/* The OpenMP part of the model: the accumulator of everything that the section openmp shows.
 *
 * Accumulator as in accumulator.h. Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/model/common/accumulator.h"
#include "analyze/model/common/grade.h"
#include "analyze/model/openmp/omp_efficiency.h"
#include "analyze/model/openmp/omp_regions.h"

struct omp_accumulator;

struct omp {
	bool is_used;
	struct omp_totals totals;
	struct omp_efficiency efficiency;
	double idle_ns; /* of team members between regions */
	struct omp_regions regions;
};

struct omp_accumulator *omp_accumulator_create(struct names *names);
void omp_accumulator_add(struct omp_accumulator *accumulator, const struct profile *profile,
			 const struct process *process);
struct omp omp_accumulator_finish(struct omp_accumulator *accumulator);
/* For an accumulator that is not finished. */
void omp_accumulator_destroy(struct omp_accumulator *accumulator);
void omp_clear(struct omp *omp);
