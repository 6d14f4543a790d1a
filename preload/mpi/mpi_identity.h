/* SPDX-License-Identifier: MIT */
/* Numbers on which all members of a communicator agree without messages: they make the same
 * communicators from the same parent in the same order; if only some of the parent's members take
 * part, or there is no parent, the same ranks do so with the same tag for the n-th time.
 *
 * Context: any thread; the library is only asked by local calls. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_abi.h"

enum {
	MPI_IDENTITY_NONE = 0, /* members do not agree: its calls are not compared */
	MPI_IDENTITY_WORLD = 1,
	MPI_IDENTITY_SELF = 2,
};

uint64_t mpi_identity_mix(uint64_t value);

/* A call on a communicator is recorded if its number + this, mixed, is a multiple of a stride:
 * otherwise communicators that are used only a few times would all keep their first calls. */
uint64_t mpi_identity_phase(uint64_t identity);

/* The identity of a communicator; never one of the above. */
uint64_t mpi_identity_of(uint64_t from, uint64_t order, uint32_t leader, uint32_t members);

/* Into world: the ranks in the job of `count` ranks of the group. False: the library cannot
 * tell. */
bool mpi_identity_translate(mpi_word group, int32_t count, const int32_t *ranks, int32_t *world);

/* A number made of the ranks of a group, in their order; 0: not all are ranks of the job. */
uint64_t mpi_identity_members(mpi_word group, int32_t count);

/* How often this was called with that key, from 1; 0: there are too many keys. */
uint64_t mpi_identity_count(uint64_t key);

/* Fork child. */
void mpi_identity_reset(void);
