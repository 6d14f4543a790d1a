/* SPDX-License-Identifier: MIT */
/* Communicators of one origin: made at one place, with the same size, the same first rank and the
 * same rank of this process. A family has one row of mpi_communicators, so a program that makes
 * communicators in a loop has one row for all of them.
 *
 * Context: any thread; lock-free. */
#pragma once

#include <stdint.h>

#include "preload/file/schema.h"

enum { MPI_FAMILIES = 512, MPI_FAMILY_PARTS = 3 };

struct mpi_family {
	struct row_mpi_communicators *row;
	uint32_t number; /* of the row */
	/* the record of collective calls: mpi_record.h */
	uint32_t busy; /* atomic: a thread is looking for room */
	uint32_t next; /* where it looks next */
	struct row_mpi_collectives *parts[MPI_FAMILY_PARTS]; /* NULL: not needed yet */
};

struct mpi_origin {
	uint32_t birth; /* a single place */
	uint32_t size;  /* of both groups */
	uint32_t leader;
	uint32_t rank; /* + 1; 0: between two groups */
};

/* identity: of the communicator, should it be the first of its family; not 0. NULL: there are too
 * many families. */
struct mpi_family *mpi_family_of(const struct mpi_origin *origin, uint64_t identity);

/* Fork child. */
void mpi_family_reset(void);
