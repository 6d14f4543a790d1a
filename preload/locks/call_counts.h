/* SPDX-License-Identifier: MIT */
/* Counting wrapped calls that did not wait: one increment of a row of the profile, found by
 * (object, operation, caller).
 *
 * This is the hottest path of the tool. Context: own thread only, but for call_counts_forget. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/file/schema.h"

enum {
	CALL_COUNTS_ROWS_MOST = 2048, /* the first table's, and some factors of growth */
	CALL_COUNTS_LISTS = 512,
	CALL_COUNTS_FILTER_WORDS =
		512, /* a tenth of the bits are set when all rows are given out */
};

struct call_counts {
	/* Of the largest table: bits by hash of every row that is searched by object and caller.
	 * Where one of them is clear no row has that hash. */
	uint64_t filter[CALL_COUNTS_FILTER_WORDS];
	/* Where to look first for the row of an operation that takes what has no row. */
	uint16_t last_resort[OP_COUNT];
	/* The rows of an object, for when it is destroyed: lists by hash of its address, of numbers
	 * of rows + 1. Only of the present rows. Atomic: read by whoever destroys it. */
	uint16_t first[CALL_COUNTS_LISTS], next[CALL_COUNTS_ROWS_MOST];
	/* What every call touches comes last, in one cache line with what follows in the thread's
	 * record. Kept so that one of zeros is empty: the rows' distance from
	 * `call_counts_no_rows`, and how many there are less 1. */
	int64_t distance __attribute__((aligned(64)));
	uint32_t mask;
	uint32_t used;
	uint32_t owner, index;
	bool is_full;               /* calls go to the row of no object */
	struct format_block *block; /* atomic: the same rows, for other threads */
};

/* What counts without rows look at: it matches no call. */
extern struct row_tallies call_counts_no_rows[2] __attribute__((visibility("hidden")));

/* owner: the thread's row; index: of its record, by which call_counts_users tells it. */
void call_counts_prepare(struct call_counts *counts, uint32_t owner, uint32_t index);

/* Finds or makes the row; where there is no room, that of the operation without object. A program
 * with more objects than rows calls it for most of them: it is told from the filter at once which
 * have none. */
void call_counts_slow(struct call_counts *counts, uint64_t tag, uint64_t caller);

static inline uint64_t call_counts_tag(const void *object, enum operation operation)
{
	return (uint64_t)object << 8 | operation;
}

static inline uint32_t call_counts_hash(uint64_t tag, uint64_t caller)
{
	return hash_bits(tag + caller);
}

static inline struct row_tallies *call_counts_row(const struct call_counts *counts, uint32_t index)
{
	struct row_tallies *rows = (void *)((char *)call_counts_no_rows + counts->distance);

	return &rows[index & counts->mask];
}

static inline void call_counts_add(struct call_counts *counts, const void *object,
				   enum operation operation, uint64_t caller)
{
	uint64_t tag = call_counts_tag(object, operation);
	struct row_tallies *row = call_counts_row(counts, call_counts_hash(tag, caller));

	/* one instruction on x86-64, so a signal handler that counts in between loses nothing */
	if (likely(row->tag == tag && row->caller == caller))
		row->count++;
	else
		call_counts_slow(counts, tag, caller);
}

/* The object at that address became another one: its rows are not to be found again. Any thread. */
void call_counts_forget(struct call_counts *counts, const void *object);

/* The object at that address has a row of its own now: its calls are counted there, those of before
 * as well. Returns the row that they were counted in; 0: none. Any thread. */
uint16_t call_counts_assign(struct call_counts *counts, const void *object, enum object_kind kind,
			    uint16_t row);

/* Threads that may have rows of it: bit i for all whose record's index is i modulo 64. */
uint64_t call_counts_users(const void *object);
