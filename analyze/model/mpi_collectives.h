/* SPDX-License-Identifier: MIT */
/* Time lost in collective calls because ranks came late, charged to the rank that came last.
 *
 * Only occurrences (mpi_occurrences.h) that every rank of the communicator recorded are judged. E:
 * a rank's enter, X: its leave, L: the latest enter. every X >= L        all waited for the last:
 * lost = sum(L - E) all-to-all kinds    the same, even if clocks of hosts make an X < L MPI_Reduce,
 * Gather  otherwise only the root waits, which is the last to leave: min(L, X) - E the rest
 * otherwise nobody can be shown to have waited: 0 Where a communicator recorded one call of
 * `stride` only, the time is multiplied by it and estimated; between hosts it is estimated as well.
 * Nonblocking calls do not wait and are left out.
 *
 * Context: pure. */
#pragma once

#include "analyze/model/grade.h"
#include "analyze/model/mpi_occurrences.h"

struct mpi_late {
	uint64_t rank;
	size_t routine; /* where it called */
	unsigned line;
	double lost_ns; /* of all the ranks that waited for it */
};

struct mpi_collective {
	const char *call;
	uint64_t size;     /* of the communicators */
	uint64_t count;    /* occurrences, those that were not recorded included (by the stride) */
	uint64_t recorded; /* by all ranks */
	double lost_ns;
	enum grade grade;
	struct mpi_late *late; /* the most time first */
	size_t late_count;
};

struct mpi_collectives {
	struct mpi_collective *rows; /* the most time first */
	size_t count;
};

/* Ends the account. */
struct mpi_collectives mpi_collectives_of(struct mpi_occurrences *account);
void mpi_collectives_clear(struct mpi_collectives *collectives);
