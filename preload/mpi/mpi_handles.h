/* SPDX-License-Identifier: MIT */
/* Entries for handles in use, found by the handle. There are as many entries as handles were in use
 * at once; a free one is reused for the next handle.
 *
 * Entries are never unmapped, because another thread may be reading one. Context: any thread;
 * lock-free. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "preload/mpi/mpi_real.h"

enum {
	MPI_HANDLE_BUCKETS = 512, /* a power of 2 */
	/* instead of a handle; no library has such handles */
	MPI_HANDLE_FREE = 0,
	MPI_HANDLE_KEPT = 1,    /* freed, but the entry is held */
	MPI_HANDLE_CLAIMED = 2, /* being written */
};

/* An entry begins with this. */
struct mpi_known {
	mpi_word handle;        /* atomic */
	struct mpi_known *next; /* of the same bucket; never changes */
};

struct mpi_handles {
	uint32_t entry_bytes;
	struct mpi_chunk *chunk; /* atomic: from which new entries are taken */
	struct mpi_known *buckets[MPI_HANDLE_BUCKETS]; /* atomic */
};

/* NULL: not known. */
struct mpi_known *mpi_handles_find(const struct mpi_handles *handles, mpi_word handle);

/* An entry for the handle, which the caller fills in, and publishes by writing the handle. It is
 * zeroed, or as its last user left it. NULL: no memory. */
struct mpi_known *mpi_handles_claim(struct mpi_handles *handles, mpi_word handle);

/* Fork child: all entries are free. */
void mpi_handles_reset(struct mpi_handles *handles);
