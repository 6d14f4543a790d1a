/* SPDX-License-Identifier: MIT */
/* How well the threads of OpenMP teams were used, by the definitions of TALP (DLB user guide, "TALP
 * Performance metrics"; src/talp/perf_metrics, version 1 of the hybrid model):
 *
 *   useful         work in outermost regions, and serial time of the threads that start them
 *   serialization  thread time lost while only the master works: (P - 1) x serial time, and
 *                  (P - team) x elapsed of smaller teams; P: the master's largest team
 *   scheduling     thread time in which no member worked: of each execution the idle time of the
 *                  member that had least, times the team
 *   imbalance      the other idle time of members
 *
 * Each efficiency is a quotient of sums of these over all masters and processes; their product is
 * `parallel`. MPI time of these threads stands beside the useful time, where there is any.
 * Accumulator as in accumulator.h: sums, which add up. Context: pure. */
#pragma once

#include "analyze/read/profile.h"

struct process;

#define OMP_EFFICIENCY_SUMS(X)                                                                     \
	X(useful_ns) /* with the time in MPI */                                                    \
	X(mpi_ns)    /* in MPI: of masters and members */                                          \
	X(serial_ns) /* lifetimes of masters outside of regions, MPI included */                   \
	X(region_ns) /* elapsed time of outermost regions, the one under way included */           \
	X(lost_serial_ns)                                                                          \
	X(lost_balance_ns)                                                                         \
	X(lost_scheduling_ns)                                                                      \
	X(masters)

struct omp_sums {
#define SUM(name) double name;
	OMP_EFFICIENCY_SUMS(SUM)
#undef SUM
};

/* Fractions of 1; NAN: unknown; the last two are NAN also without MPI. */
struct omp_efficiency {
	double parallel, load_balance, scheduling, serialization;
	double hybrid_parallel, mpi_parallel;
};

void omp_sums_add(struct omp_sums *sums, const struct profile *profile,
		  const struct process *process);
void omp_sums_unite(struct omp_sums *into, const struct omp_sums *from);
struct omp_efficiency omp_efficiency_of(const struct omp_sums *sums);
