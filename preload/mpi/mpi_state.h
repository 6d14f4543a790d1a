/* SPDX-License-Identifier: MIT */
/* A call that is under way; on the stack of its wrapper. */
#pragma once

#include "preload/mpi/mpi_thread.h"

struct mpi_state {
	struct thread *thread;
	struct mpi_thread *mpi;
	struct mpi_comm *comm; /* NULL: none, or not known */
	struct mpi_site *place;
	struct row_mpi_calls *row;
	uint64_t key; /* of the row */
	uint64_t start_ns;
	const struct site *site;
	mpi_word request;   /* of a completion call, before the library clears it */
	mpi_word *requests; /* the same, of several */
	void *statuses;     /* ours or the program's; NULL: none */
	struct row_mpi_collectives *record;
	uint64_t sequence; /* of a collective call on `comm`, + 1; 0: it is none */
	uint16_t number;
	char status[MPI_STATUS_ROOM]; /* for a call with MPI_STATUS_IGNORE */
};
