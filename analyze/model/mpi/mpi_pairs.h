/* SPDX-License-Identifier: MIT */
/* Point-to-point and one-sided traffic of a job by pair of ranks, as each rank recorded its own
 * side.
 *
 * Sparse: only pairs that exchanged something. Bounded: beyond `MPI_PEERS_MAX` pairs each further
 * rank keeps the few peers that it waited longest for and the few with the most bytes; its other
 * peers are aggregated into one row without a peer. A zeroed struct is the empty accumulator.
 * Context: pure. */
#pragma once

#include "analyze/tables/merged.h"

#include <stddef.h>
#include <stdint.h>

struct mpi_source;

#define MPI_PEERS_MAX (1u << 19)
#define MPI_NO_PEER   UINT64_MAX /* further peers together */

/* Columns: merged.def. */
struct mpi_pair {
	struct merged_mpi_pairs;
};

struct mpi_pairs {
	struct mpi_pair *rows; /* the most bytes first */
	size_t count, capacity;
};

void mpi_pairs_add(struct mpi_pairs *pairs, const struct mpi_source *source);
/* Adds the pairs of one rank one after the other; mpi_pairs_close then merges equal ones and keeps
 * the bound, given the index of the first. */
void mpi_pairs_append(struct mpi_pairs *pairs, const struct mpi_pair *pair);
void mpi_pairs_close(struct mpi_pairs *pairs, size_t first);
void mpi_pairs_finish(struct mpi_pairs *pairs);
void mpi_pairs_clear(struct mpi_pairs *pairs);
