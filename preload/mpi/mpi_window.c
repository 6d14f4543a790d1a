/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_window.h"

struct window {
	struct mpi_known known;
	struct mpi_comm *comm;
};

static struct mpi_handles windows = {.entry_bytes = sizeof(struct window)};

static struct window *find(mpi_word window)
{
	return window > MPI_HANDLE_CLAIMED ? (struct window *)mpi_handles_find(&windows, window)
					   : NULL;
}

void mpi_window_made(mpi_word window, struct mpi_comm *comm)
{
	struct window *made = comm ? (struct window *)mpi_handles_claim(&windows, window) : NULL;

	if (!made)
		return;
	mpi_comm_hold(comm);
	made->comm = comm;
	__atomic_store_n(&made->known.handle, window, __ATOMIC_RELEASE);
}

void mpi_window_freed(mpi_word window)
{
	struct window *known = find(window);

	if (!known)
		return;
	mpi_comm_release(known->comm);
	__atomic_store_n(&known->known.handle, MPI_HANDLE_FREE, __ATOMIC_RELEASE);
}

struct mpi_comm *mpi_window_comm(mpi_word window)
{
	struct window *known = find(window);

	return known ? known->comm : NULL;
}

void mpi_window_reset(void)
{
	mpi_handles_reset(&windows);
}
