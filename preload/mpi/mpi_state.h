/* SPDX-License-Identifier: MIT */
/* A call that is under way. On the stack of its wrapper. */
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
	mpi_word request;   /* that a completion call names, before the library clears it */
	mpi_word *requests; /* the same, of several */
	void *statuses;     /* ours or the program's; NULL: none */
	struct row_mpi_collectives *record;
	uint16_t number;
	char status[MPI_STATUS_ROOM]; /* in the place of one that the program did not want */
};
