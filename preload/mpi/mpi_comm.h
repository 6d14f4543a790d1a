/* SPDX-License-Identifier: MIT */
/* Communicators that exist: how many ranks, which ranks of the job they are, their family, and an
 * identity, a number that is the same in all members.
 *
 * Context: any thread. Handles are normalized (mpi_handle). The library is only asked by local
 * calls. */
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
	uint64_t identity, phase;          /* phase: mpi_identity_phase */
	int32_t size, rank;
	int32_t peers; /* ranks of the other group, or of the only one */
	bool is_inter, is_world;
	int32_t in_degree, out_degree; /* of its topology; -1: not asked yet */
	uint64_t absent;               /* of the first 64 neighbours: bits of MPI_PROC_NULL */
	uint64_t collectives;          /* calls so far, atomic */
	uint64_t made;                 /* communicators made from it so far, atomic */
	int32_t *world; /* atomic: its peers' ranks in the job, also when freed; NULL: not asked */
	int32_t *spare; /* atomic: memory for `world`, of an earlier communicator here */
	uint32_t holds; /* atomic: mpi_comm_hold */
};

/* The origin of a communicator, as far as all members know it. All zero: not known. */
struct mpi_descent {
	uint64_t parent, order; /* its parent's identity; it is the parent's order-th child */
	bool is_by_members;     /* or: made by its members only, with a tag */
	uint64_t tag;
};

/* The communicator of a handle, with `place` (the caller) as birth if it is new. NULL: a null
 * handle, or no memory. */
struct mpi_comm *mpi_comm_find(mpi_word handle, uint64_t place);

/* For the next constructor that all members of the parent call. parent NULL: not known. */
struct mpi_descent mpi_comm_descent(struct mpi_comm *parent);

/* After a constructor. For a nonblocking one, descent is that of the time when it was posted. */
void mpi_comm_made(const struct mpi_descent *descent, mpi_word handle, uint64_t place);

/* Before the library frees it: after that the handle may be reused, also in another thread. */
void mpi_comm_freed(mpi_word handle);

/* Windows and receives under way may outlive their communicator: while they hold it, its ranks are
 * known. NULL is allowed. */
void mpi_comm_hold(struct mpi_comm *comm);
void mpi_comm_release(struct mpi_comm *comm);

/* Changes whenever a handle may have got another meaning. */
extern uint32_t mpi_comm_generation __attribute__((visibility("hidden")));

/* Rank in the job of a rank in the communicator; -1: none, or not known. */
int32_t mpi_comm_world_rank(struct mpi_comm *comm, int32_t rank);

void mpi_comm_degrees(struct mpi_comm *comm);

/* Fork child. */
void mpi_comm_reset(void);
