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
#include "analyze/tables/merged.h"

struct process;

/* What processes with OpenMP have in common, sums over their threads, and the sums above. Columns:
 * merged.def. threads: largest team of an outermost region; processors: of the process with that
 * team; wait_policy: of several the highest; library is kept by the names, "" if unknown. */
struct omp_totals {
	struct merged_omp_run;
};

/* Fractions of 1; NAN: unknown; the last two are NAN also without MPI. */
struct omp_efficiency {
	double parallel, load_balance, scheduling, serialization;
	double hybrid_parallel, mpi_parallel;
};

/* Adds to the sums above. */
void omp_efficiency_add(struct omp_totals *sums, const struct profile *profile,
			const struct process *process);
struct omp_efficiency omp_efficiency_of(const struct omp_totals *sums);
