/* SPDX-License-Identifier: MIT */
/* Communicators that are alive: how many ranks, which ranks of the job they are, their family, and
 * a number that is the same in all members.
 *
 * Context: any thread. Handles are normalized (mpi_handle). Everything asked of the library is a
 * local call. */
#pragma once

#include <stdint.h>

#include "preload/mpi/mpi_abi.h"
#include "preload/mpi/mpi_family.h"
#include "preload/mpi/mpi_handles.h"
#include "preload/mpi/mpi_identity.h"

struct mpi_comm {
	struct mpi_known known;
	uint32_t number;                   /* row in mpi_communicators; 0: none */
	struct mpi_family *family;         /* NULL: none */
	struct row_mpi_communicators *row; /* the family's */
	uint64_t identity, phase;          /* of its calls, mpi_identity_phase */
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
};

/* How a communicator came to be, as far as all members know. Of zeros: not at all. */
struct mpi_descent {
	uint64_t parent, order; /* identity of its parent, and the how many-th of that it is */
	bool is_by_members;     /* or: made by its members alone, with a tag */
	uint64_t tag;
};

/* NULL: a null handle, or no memory. place: of the caller. */
struct mpi_comm *mpi_comm_find(mpi_word handle, uint64_t place);

/* Of the next constructor that all members of the parent call; NULL: none is known. */
struct mpi_descent mpi_comm_descent(struct mpi_comm *parent);

/* After a constructor. A nonblocking one has its descent from when it was posted. */
void mpi_comm_made(const struct mpi_descent *descent, mpi_word handle, uint64_t place);

/* Before the library frees it: from then on the handle may come again, in another thread. */
void mpi_comm_freed(mpi_word handle);

/* Windows and receives under way may outlive their communicator: as long as they hold it, its
 * ranks are known. NULL is allowed. */
void mpi_comm_hold(struct mpi_comm *comm);
void mpi_comm_release(struct mpi_comm *comm);

/* Changes when a handle may mean something else than before. */
extern uint32_t mpi_comm_generation __attribute__((visibility("hidden")));

/* Rank in the job of a rank that a call on the communicator names; -1: none, or not known. */
int32_t mpi_comm_world_rank(struct mpi_comm *comm, int32_t rank);

void mpi_comm_degrees(struct mpi_comm *comm);

/* Fork child. */
void mpi_comm_reset(void);
