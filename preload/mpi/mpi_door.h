/* SPDX-License-Identifier: MIT */
/* The one door for MPI wrappers: a call begins, a call ends.
 *
 * What a call does with its arguments is data (mpi_call.h); here is what follows from it: time by
 * call path, bytes, peers, requests, the record of collectives. Only the outermost call counts:
 * libraries and bindings call each other's MPI functions. Context: own thread; never changes errno.
 */
#pragma once

#include "mpi_thread.h"

struct mpi_state {
	struct thread *thread;
	struct mpi_thread *mpi;
	struct mpi_comm *comm; /* NULL: none, or not known */
	struct row_mpi_calls *row;
	uint64_t key; /* of the row */
	uint64_t start_ns;
	const struct site *site;
	mpi_word request;   /* that a completion call names, before the library clears it */
	mpi_word *requests; /* the same, of several */
	void *statuses;     /* ours or the program's; NULL: none */
	struct row_mpi_collectives *record;
	uint16_t number;
	char status[MPI_STATUS_ROOM]; /* in the place of one that the program did not want */
};

/* False: not to be measured; pass the call on. May put other words in the place of arguments. */
bool mpi_enter(struct mpi_state *state, enum mpi_call_number number, mpi_word *arguments,
	       const struct site *site);

void mpi_leave(struct mpi_state *state, const mpi_word *arguments, int result);

/* There is no MPI in this process, but somebody calls it: what it then returns. */
int mpi_missing(enum mpi_call_number number, const mpi_word *arguments);
