/* SPDX-License-Identifier: MIT */
/* The part of a rank's life between MPI_Init and MPI_Finalize, and how much of its useful time and
 * of its time in MPI lies in it. Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/mpi/mpi_ranks.h"

/* Within the rank's life. Where the begin or the end of MPI was not seen: the rank's own. */
struct mpi_window {
	uint64_t init_ns;        /* when MPI_Init was entered */
	uint64_t from_ns, to_ns; /* the window; none if to_ns <= from_ns */
	uint64_t finalized_ns;   /* when MPI_Finalize returned */
};

struct mpi_window mpi_window_of(const struct mpi_rank *rank);

/* Sets the columns of a rank's row that are about threads in MPI and about its window (merged.def);
 * all others must be set.
 *
 * Useful time within is that of the rank's time line, which is scaled to the rank's useful time.
 * Where a bin of it is partly in the window and partly before MPI_Init or after MPI_Finalize, its
 * time is shared out in proportion to the two; in MPI_Init and MPI_Finalize nothing is useful.
 * Without a time line useful time is shared out as the time outside of MPI is. The grade is that of
 * the useful time, and estimated where more than 1 % of it was shared out. */
void mpi_window_measure(struct mpi_rank *rank, const struct mpi_source *source);
