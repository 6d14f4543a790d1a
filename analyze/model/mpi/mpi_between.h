/* SPDX-License-Identifier: MIT */
/* The job between MPI_Init and MPI_Finalize: what the program does, without start and end of MPI,
 * which no change of the program makes shorter.
 *
 *   window   of a rank: from the return of MPI_Init, or from the rank's start where its begin was
 *            not seen, until MPI_Finalize is entered, or until the rank's end
 *   useful   mpi_efficiency.h of the useful time within the windows (useful_between_ns)
 *   outside  the same of window - mpi_between_ns, charged to all units of a rank: how the ranks
 *            as a whole, with all of their threads, were outside of MPI
 *   threads  useful.parallel / outside.parallel: how well threads were used while their rank was
 *            not in MPI. So useful.parallel = outside.load_balance x outside.communication x
 *            threads, as in POP's multiplicative model of hybrid programs. Above 1 where threads
 *            work while another one of their rank is in MPI.
 *
 * Context: pure. Times in nanoseconds; NAN and 0 where nothing is known. */
#pragma once

#include "analyze/model/mpi/mpi_efficiency.h"

/* Time in MPI calls of the ranks / elapsed time of the ranks. Of each rank: in calls that begin and
 * end MPI, while no other ones may be made, and in the others that of the thread that was in them
 * longest. Exact where one thread of each rank made calls; otherwise a lower bound, and estimated.
 */
struct mpi_share {
	double fraction;
	enum grade grade;
};

struct mpi_between {
	bool is_known; /* every rank has a window, and its time within is known */
	struct mpi_efficiency useful, outside;
	double threads;               /* NAN: each rank has one */
	double init_ns, finalize_ns;  /* in MPI_Init, in MPI_Finalize: means over the ranks */
	double elsewhere_ns;          /* before and behind these: the same */
	struct mpi_share share;       /* of the windows */
	struct mpi_share whole_share; /* of the ranks' whole elapsed time; known in any case */
};

/* Do ranks have several threads, so that the efficiency has a factor for these? */
static inline bool mpi_between_is_hybrid(const struct mpi_between *between)
{
	return between->is_known && between->threads > 0;
}

/* The rank's window (mpi_window.h); 0 if it has none. */
double mpi_between_window_ns(const struct mpi_rank *rank);
/* ranks: after mpi_ranks_finish. */
struct mpi_between mpi_between_of(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks);
