/* SPDX-License-Identifier: MIT */
/* Ranks ordered by how much they differ from the others, and why.
 *
 * The distance of a rank is the largest, over useful time, time in MPI, other waits, ready and
 * elapsed time, of |its time - mean over ranks| / deviation. It is an outlier if, in one of these,
 * its distance is above 2 deviations and the difference is more than 5 % of the ranks' mean elapsed
 * time: even among equal ranks some are always beyond 2 deviations. Context: pure. */
#pragma once

#include "analyze/model/mpi/mpi_ranks.h"

struct mpi_outlier {
	size_t index; /* in ranks->rows */
	double distance;
	const char *why; /* "more useful time", ...; NULL: no outlier */
};

/* One for each rank, the most distant first, equal ones by rank; released by the caller. */
struct mpi_outlier *mpi_outliers_of(const struct mpi_ranks *ranks);
