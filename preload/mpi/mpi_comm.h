/* SPDX-License-Identifier: MIT */
/* Communicators and windows: how many ranks, which ranks of the job they are, and a number that is
 * the same in all members, found without any message: all members make the same communicators out
 * of the same parent in the same order.
 *
 * Context: any thread. Handles are normalized (mpi_handle). Everything asked of the library is a
 * local call. */
#pragma once

#include <stdint.h>

#include "mpi_abi.h"
#include "schema.h"

enum {
	MPI_COMMS = 512,        /* known at once; further ones have no row */
	MPI_COMM_RECORDS = 256, /* collectives of one communicator that are kept, a power of 2 */
};

struct mpi_comm {
	mpi_word handle; /* first, and atomic; 0: free */
	uint32_t number; /* row in mpi_communicators; 0: none */
	int32_t size, rank;
	int32_t peers; /* ranks that point-to-point calls and the other side of collectives mean */
	bool is_inter, is_world;
	int32_t in_degree, out_degree; /* of its topology; -1: not asked yet */
	uint64_t collectives;          /* calls so far, atomic */
	uint64_t made;                 /* communicators made out of it so far, atomic */
	int32_t *world; /* atomic: ranks in the job of its `peers`; NULL: not asked yet. Kept when
			   it is freed: requests on it may complete later */
	int32_t *spare; /* atomic: memory for `world`, of an earlier communicator in this place */
	uint32_t holds; /* atomic: mpi_comm_hold */
	struct row_mpi_communicators *row;
	struct row_mpi_collectives *records; /* MPI_COMM_RECORDS of them, or NULL */
};

/* NULL: a null handle, or the table is full. place: of the caller. */
struct mpi_comm *mpi_comm_find(mpi_word handle, uint64_t place);

/* The order of a constructor among those of its parent, which is the same in all members. */
uint64_t mpi_comm_order(struct mpi_comm *parent);

/* After a constructor: the new communicator gets the number that its siblings get. A nonblocking
 * one has its order from when it was posted. */
void mpi_comm_made(struct mpi_comm *parent, uint64_t order, mpi_word handle, uint64_t place);
void mpi_comm_freed(mpi_word handle);

/* Windows and receives under way may outlive their communicator: as long as they hold it, its
 * ranks are known. NULL is allowed. */
void mpi_comm_hold(struct mpi_comm *comm);
void mpi_comm_release(struct mpi_comm *comm);

/* Changes when a handle may mean something else than before. */
extern uint32_t mpi_comm_generation __attribute__((visibility("hidden")));

/* Rank in the job of a rank that a call on the communicator names; -1: none, or not known. */
int32_t mpi_comm_world_rank(struct mpi_comm *comm, int32_t rank);

void mpi_window_made(mpi_word window, struct mpi_comm *comm);
void mpi_window_freed(mpi_word window);
/* The communicator that a window was made for; NULL: not known. */
struct mpi_comm *mpi_window_comm(mpi_word window);

void mpi_comm_degrees(struct mpi_comm *comm);

/* Fork child. */
void mpi_comm_reset(void);
