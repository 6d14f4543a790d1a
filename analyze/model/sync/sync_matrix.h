/* SPDX-License-Identifier: MIT */
/* Who kept whom waiting, as a small table: the places that caused most of an object's waiting by
 * those that suffered most of it, and all others as one more row and column.
 *
 * The cells add up to the pairs' time. Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/sync/sync_pairs.h"

#define SYNC_MATRIX_SIDE 8

struct sync_matrix_place {
	size_t routine;
	unsigned line;
	uint64_t time_ns; /* sum of its row or column */
};

struct sync_matrix {
	/* the most time first; after the last one the sum of all others */
	struct sync_matrix_place holders[SYNC_MATRIX_SIDE + 1], victims[SYNC_MATRIX_SIDE + 1];
	size_t holder_count, victim_count; /* without the others */
	size_t other_holder_count, other_victim_count;
	uint64_t cells[SYNC_MATRIX_SIDE + 1][SYNC_MATRIX_SIDE + 1]; /* [holder][victim] */
	uint64_t total_ns, most_ns;                                 /* the second: of a cell */
	enum grade grade;
};

struct sync_matrix sync_matrix_of(const struct sync_pairs *pairs);
