/* SPDX-License-Identifier: MIT */
/* POP's efficiencies of a job, as fractions of 1 (https://pop-coe.eu/node/69).
 *
 *   U_r    = useful time of rank r / its units           R = elapsed time of the job
 *   avg(U) = useful time of all ranks / all units (ranks of equal units weigh the same)
 *   parallel = avg(U) / R = load_balance x communication
 *   load_balance  = avg(U) / max(U)                      communication = max(U) / R
 * With several hosts load_balance = inner x outer:
 *   inner = (largest of the hosts' avg(U)) / max(U)      outer = avg(U) / (that largest)
 * Nothing that would need wait states (serialisation, transfer) is said. Context: pure; NAN where
 * nothing is known. */
#pragma once

#include "analyze/model/mpi/mpi_clocks.h"
#include "analyze/model/mpi/mpi_ranks.h"

struct mpi_efficiency {
	enum grade grade;
	double parallel, load_balance, communication;
	double inner_load_balance, outer_load_balance; /* NAN on one host */
	double average_useful_ns, max_useful_ns;       /* of U */
	double min_useful_ns;                          /* the same; of several jobs their mean */
	uint64_t max_rank, min_rank;                   /* MPI_NO_RANK: unknown */
	double elapsed_ns;                             /* R */
	uint64_t units;                                /* of all ranks together */
	double average_active; /* sum of useful time / R: the average concurrency */
};

/* Of all jobs together. Each job has its units for its own elapsed time: parallel = useful time of
 * all / sum of elapsed time x units of each; elapsed_ns and max_useful_ns are means over the units,
 * and the most and least useful ranks are those of the first job. */
struct mpi_efficiency mpi_efficiency_of(const struct mpi_ranks *ranks,
					const struct mpi_clocks *clocks);

/* Of one job: `count` ranks, beginning with `first`. */
struct mpi_efficiency mpi_efficiency_of_job(const struct mpi_ranks *ranks,
					    const struct mpi_clocks *clocks, size_t first,
					    size_t count);
