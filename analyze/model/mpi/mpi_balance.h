/* SPDX-License-Identifier: MIT */
/* Which rank computes most, and how much more than the others: of the useful times of ranks between
 * MPI_Init and MPI_Finalize where these are known, and otherwise of the whole job. Context: pure.
 */
#pragma once

#include "analyze/model/mpi/mpi_accumulator.h"

struct mpi_balance {
	/* There is a difference that counts: one job of two ranks or more, whose load balance is
	 * below 95 %, and the most useful rank is more useful than the mean for 1 % of the elapsed
	 * time at least. Where useful time is estimated, the difference of the two is also more
	 * than they were ready for a processor: that may be part of it. */
	bool is_uneven;
	enum grade grade;
	uint64_t most_rank, least_rank;
	double times;      /* most / least useful time; INFINITY: the least is none */
	double times_mean; /* most / mean */
};

struct mpi_balance mpi_balance_of(const struct mpi *mpi);
