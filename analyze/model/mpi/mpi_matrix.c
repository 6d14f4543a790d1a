/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_matrix.h"

#include "analyze/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t count_ranks(const struct mpi_pairs *pairs)
{
	uint64_t highest = 0;

	for (size_t i = 0; i < pairs->count; i++) {
		highest = larger(highest, pairs->rows[i].rank);
		if (pairs->rows[i].peer != MPI_NO_PEER)
			highest = larger(highest, pairs->rows[i].peer);
	}
	return pairs->count ? highest + 1 : 0;
}

static void add(struct mpi_cell *cell, const struct mpi_pair *pair)
{
	cell->messages += pair->messages_sent;
	cell->bytes += pair->bytes_sent;
	cell->wait_ns += pair->wait_ns;
}

struct mpi_matrix mpi_matrix_of(const struct mpi_pairs *pairs, size_t side_max)
{
	struct mpi_matrix matrix = {.ranks = count_ranks(pairs), .ranks_a_cell = 1};

	matrix.ranks_a_cell = matrix.ranks / side_max + (matrix.ranks % side_max != 0);
	if (!matrix.ranks)
		return matrix;
	matrix.side = (size_t)((matrix.ranks - 1) / matrix.ranks_a_cell) + 1;
	matrix.cells = memory_allocate(matrix.side * matrix.side, sizeof *matrix.cells);
	for (size_t i = 0; i < pairs->count; i++) {
		const struct mpi_pair *pair = &pairs->rows[i];
		size_t row = (size_t)(pair->rank / matrix.ranks_a_cell);
		bool is_placed = pair->peer != MPI_NO_PEER;

		add(is_placed ? &matrix.cells[row * matrix.side + pair->peer / matrix.ranks_a_cell]
			      : &matrix.unplaced,
		    pair);
	}
	for (size_t i = 0; i < matrix.side * matrix.side; i++) {
		matrix.most.messages = larger(matrix.most.messages, matrix.cells[i].messages);
		matrix.most.bytes = larger(matrix.most.bytes, matrix.cells[i].bytes);
		matrix.most.wait_ns = larger(matrix.most.wait_ns, matrix.cells[i].wait_ns);
	}
	return matrix;
}

void mpi_matrix_clear(struct mpi_matrix *matrix)
{
	free(matrix->cells);
	*matrix = (struct mpi_matrix){0};
}
