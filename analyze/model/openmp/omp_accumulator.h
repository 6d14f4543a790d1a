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

/* Sums over the threads of processes that used OpenMP. */
#define OMP_THREAD_SUMS(X)                                                                         \
	X(wait_ns)    /* in waits of the runtime, for locks as well */                             \
	X(spin_ns)    /* part of it on a processor */                                              \
	X(blocked_ns) /* part of it off the processor; the rest was ready for one */               \
	X(outside_ns) /* part of it outside of bodies */                                           \
	X(ready_ns)   /* of team members and masters: without a processor */                       \
	X(switches)   /* voluntary ones of theirs */

struct omp_totals {
	uint64_t runtimes;    /* bit 1 << enum omp_runtime */
	uint64_t wait_policy; /* enum omp_wait_policy; of several the highest */
	uint64_t threads;     /* largest team of an outermost region */
	uint64_t processors;  /* of the process with that team; 0: unknown */
	uint64_t processes;   /* that used OpenMP */
	enum grade blocked_grade;
	const char *library; /* kept by the names; "" if unknown */
#define SUM(name) double name;
	OMP_THREAD_SUMS(SUM)
#undef SUM
};

struct omp {
	bool is_used;
	struct omp_totals totals;
	struct omp_sums sums;
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
