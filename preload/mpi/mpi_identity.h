/* SPDX-License-Identifier: MIT */
/* Numbers that all members of a communicator arrive at without any message: they make the same
 * communicators out of the same parent in the same order; where only some members of the parent
 * take part, or there is none, they are the same ranks, with the same tag, for the n-th time.
 *
 * Context: any thread; what is asked of the library is a local call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_abi.h"

enum {
	MPI_IDENTITY_NONE = 0, /* members do not agree: of the communicator nothing is compared */
	MPI_IDENTITY_WORLD = 1,
	MPI_IDENTITY_SELF = 2,
};

uint64_t mpi_identity_mix(uint64_t value);

/* Of the calls on a communicator those are recorded whose number + this, mixed, is a multiple of a
 * stride: communicators that are used only a few times must not all keep their first calls. */
uint64_t mpi_identity_phase(uint64_t identity);

/* Never one of the above. */
uint64_t mpi_identity_of(uint64_t from, uint64_t order, uint32_t leader, uint32_t members);

/* Ranks in the job of `count` ranks of the group. False: the library does not say. */
bool mpi_identity_translate(mpi_word group, int32_t count, const int32_t *ranks, int32_t *world);

/* A number of the ranks of a group, in their order; 0: they are not all of the job. */
uint64_t mpi_identity_members(mpi_word group, int32_t count);

/* How often it was called with that key, from 1; 0: there are too many keys. */
uint64_t mpi_identity_count(uint64_t key);

/* Fork child. */
void mpi_identity_reset(void);
