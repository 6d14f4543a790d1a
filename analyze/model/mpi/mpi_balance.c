/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_balance.h"

#include <math.h>

#define BALANCE_MAX   0.95
#define ELAPSED_SHARE 0.01

/* Of the ready time of the rank, what one of its units has. */
static double ready_of(const struct mpi_ranks *ranks, uint64_t rank)
{
	for (size_t i = 0; i < ranks->count; i++)
		if (ranks->rows[i].rank == rank)
			return (double)ranks->rows[i].ready_ns /
			       fmax(1, (double)ranks->rows[i].units);
	return 0;
}

static double doubt_ns(const struct mpi *mpi, const struct mpi_efficiency *useful)
{
	if (useful->grade < GRADE_ESTIMATED)
		return 0;
	return fmax(ready_of(&mpi->ranks, useful->max_rank),
		    ready_of(&mpi->ranks, useful->min_rank));
}

struct mpi_balance mpi_balance_of(const struct mpi *mpi)
{
	const struct mpi_efficiency *useful =
		mpi->between.is_known ? &mpi->between.useful : &mpi->efficiency;
	double above_mean_ns = useful->max_useful_ns - useful->average_useful_ns;
	double above_least_ns = useful->max_useful_ns - useful->min_useful_ns;

	if (mpi->jobs.count != 1 || mpi->ranks.count < 2 || !(useful->load_balance < BALANCE_MAX) ||
	    above_mean_ns < ELAPSED_SHARE * useful->elapsed_ns ||
	    above_least_ns <= doubt_ns(mpi, useful))
		return (struct mpi_balance){.is_uneven = false};
	return (struct mpi_balance){
		.is_uneven = true,
		.grade = useful->grade,
		.most_rank = useful->max_rank,
		.least_rank = useful->min_rank,
		.times = useful->min_useful_ns > 0 ? useful->max_useful_ns / useful->min_useful_ns
						   : INFINITY,
		.times_mean = useful->max_useful_ns / useful->average_useful_ns,
	};
}
