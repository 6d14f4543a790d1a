/* SPDX-License-Identifier: MIT */
/* What is known of the handles that are alive: an entry for each, found by its handle. There are as
 * many entries as handles were alive at once; one that is free again serves the next handle.
 *
 * Entries are never unmapped, because another thread may be looking at one. Context: any thread;
 * lock-free. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "preload/mpi/mpi_real.h"

enum {
	MPI_HANDLE_BUCKETS = 512, /* a power of 2 */
	/* in the place of a handle; no library has such handles */
	MPI_HANDLE_FREE = 0,
	MPI_HANDLE_KEPT = 1,    /* freed, but somebody holds the entry */
	MPI_HANDLE_CLAIMED = 2, /* being written */
};

/* An entry begins with this. */
struct mpi_known {
	mpi_word handle;        /* atomic */
	struct mpi_known *next; /* of the same bucket, for good */
};

struct mpi_handles {
	uint32_t entry_bytes;
	struct mpi_chunk *chunk; /* atomic: from which new entries are taken */
	struct mpi_known *buckets[MPI_HANDLE_BUCKETS]; /* atomic */
};

/* NULL: not known. */
struct mpi_known *mpi_handles_find(const struct mpi_handles *handles, mpi_word handle);

/* An entry for the handle, which the caller fills, and publishes by writing the handle into it. It
 * is zeroed, or as its last owner left it. NULL: no memory. */
struct mpi_known *mpi_handles_claim(struct mpi_handles *handles, mpi_word handle);

/* Fork child: all entries are free. */
void mpi_handles_reset(struct mpi_handles *handles);
