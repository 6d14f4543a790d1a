/* SPDX-License-Identifier: MIT */
/* A common time for all ranks of a job. Ranks of a host share CLOCK_MONOTONIC; between hosts it has
 * an offset, which is estimated from what each rank recorded around MPI_Init and MPI_Finalize.
 *
 * CLOCK_REALTIME gives the first guess. Two facts bound it: both calls synchronise in practice, so
 * that no rank leaves one before the last rank has entered it. The guess is moved to the nearest
 * offset within the bounds; the error is the distance to the farther bound or, if there are no
 * bounds or they contradict each other, how far the differences of the clocks spread. Context:
 * pure. */
#pragma once

#include "analyze/model/mpi/mpi_ranks.h"

struct mpi_host_clock {
	const char *name;
	double offset_ns; /* instant on the first host = instant here + this */
	double error_ns;  /* 0 for the first host; NAN: unknown */
};

struct mpi_clocks {
	struct mpi_host_clock *hosts; /* in the order of their lowest ranks */
	size_t host_count, host_capacity;
	size_t *host_of; /* by index in ranks->rows */
};

struct mpi_clocks mpi_clocks_of(const struct mpi_ranks *ranks);
void mpi_clocks_clear(struct mpi_clocks *clocks);

/* To be added to an instant of the rank at that index in ranks->rows. */
double mpi_clocks_offset(const struct mpi_clocks *clocks, size_t index);
/* The largest error of the hosts; 0 on one host, NAN if one is unknown. */
double mpi_clocks_error(const struct mpi_clocks *clocks);
