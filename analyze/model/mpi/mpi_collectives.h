/* SPDX-License-Identifier: MIT */
/* Time lost in collective calls because ranks came late, charged to the rank that was waited for.
 *
 * Only occurrences (mpi_occurrences.h) that every rank of the communicator recorded are judged. E:
 * the instant at which a rank entered, X: at which it left, L: at which the last one entered,
 * E_root: at which the root entered.
 *
 *   barrier, all-to-all kinds  everybody waits for the last: L - E
 *   reduce, gather             the root waits for the last: L - E
 *   broadcast, scatter         everybody waits for the root: min(E_root, X) - E, if positive
 *
 * That much is certain, by what these calls mean. Beyond it, a rank that left after the last had
 * entered (X >= L) is taken to have waited for it, as it does where the library works in a tree or
 * waits for receivers: the figure is estimated if this is more than 1 % of the time lost.
 *
 * Nobody loses more than it spends in the call. A rank that left before the last had entered (X <
 * L) did not wait for it: a call that moves no data need not synchronize. Then it is only likely
 * that others waited: estimated, too. Between hosts, whose clocks differ, such a rank loses X - E.
 *
 * If fewer occurrences were judged than there were calls, the time is scaled by calls / judged, up
 * to the time in the calls, and estimated; between hosts, and if only some of the ranks' instants
 * are kept, it is estimated as well. Nonblocking calls do not wait and are left out.
 *
 * Context: pure. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/model/mpi/mpi_occurrences.h"

struct mpi_collective {
	const char *call;
	uint64_t size;     /* of the communicators */
	uint64_t count;    /* occurrences, including those that were not recorded */
	uint64_t recorded; /* by all ranks */
	double lost_ns;    /* meaningless if none was recorded */
	enum grade grade;
	struct mpi_late *late; /* the most time first */
	size_t late_count;
};

struct mpi_collectives {
	struct mpi_collective *rows; /* the most time first */
	size_t count;
};

/* Ends the accumulator. */
struct mpi_collectives mpi_collectives_of(struct mpi_occurrences *accumulator);
void mpi_collectives_clear(struct mpi_collectives *collectives);
