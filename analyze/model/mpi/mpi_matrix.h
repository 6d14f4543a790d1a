/* SPDX-License-Identifier: MIT */
/* The traffic of a job as a matrix of cells, from ranks to peers, as the senders recorded it.
 *
 * If a job has more ranks than a plot has cells, each cell is a block of ranks by ranks, and holds
 * its sum. What went to peers that were not kept (mpi_peers.h) is in no cell. Context: pure. */
#pragma once

#include "analyze/model/mpi/mpi_pairs.h"

#include <stdint.h>

struct mpi_cell {
	uint64_t messages, bytes;
	uint64_t wait_ns; /* time for which the rank waited for messages from the peer */
};

struct mpi_matrix {
	size_t side;    /* cells */
	uint64_t ranks; /* the highest rank + 1 */
	uint64_t ranks_a_cell;
	struct mpi_cell *cells; /* [rank's block * side + peer's block] */
	struct mpi_cell most;   /* the largest value of each figure */
	struct mpi_cell unplaced;
};

struct mpi_matrix mpi_matrix_of(const struct mpi_pairs *pairs, size_t side_max);
void mpi_matrix_clear(struct mpi_matrix *matrix);
