/* SPDX-License-Identifier: MIT */
/* Counts wrapped calls that did not wait: one increment of a row of the profile, found by (object,
 * operation, caller).
 *
 * This is the hottest path of the tool. Context: own thread only, except where a function says
 * otherwise. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/file/schema.h"

enum {
	CALL_COUNTS_ROWS_MOST = 2048, /* tables have 32, 128, 512 or 2048 rows */
	CALL_COUNTS_LISTS = 512,
	CALL_COUNTS_FILTER_WORDS = 512, /* a tenth of all bits are set when the table is full */
};

struct call_counts {
	/* Of the largest table: two bits, by hash, of every row that is searched by object and
	 * caller. If one of them is clear, no row has that hash. */
	uint64_t filter[CALL_COUNTS_FILTER_WORDS];
	/* Where to look first for the row of an operation without object. */
	uint16_t last_resort[OP_COUNT];
	/* The rows of an object, for when it is destroyed: lists by hash of its address, of row
	 * numbers + 1. Only rows of the present block. Atomic: read by the thread that destroys
	 * it. */
	uint16_t first[CALL_COUNTS_LISTS], next[CALL_COUNTS_ROWS_MOST];
	/* What every call touches comes last, in one cache line with what follows in the thread's
	 * record. A struct of zeros is empty: so this is the distance of the rows from
	 * `call_counts_no_rows`, and their number - 1. */
	int64_t distance __attribute__((aligned(64)));
	uint32_t mask;
	uint32_t used;
	uint32_t owner, index;
	bool is_full;               /* some calls are counted without object */
	struct format_block *block; /* atomic: the same rows, for other threads */
};

/* Where the rows would be if there are none: matches no call. */
extern struct row_tallies call_counts_no_rows[2] __attribute__((visibility("hidden")));

/* owner: the thread's row; index: of its record, for call_counts_users. */
void call_counts_prepare(struct call_counts *counts, uint32_t owner, uint32_t index);

/* Finds or makes the row and counts the call; without room, in the row of the operation without
 * object. A program with more objects than rows calls this for most of them: the filter tells at
 * once that an object has no row. */
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

	/* one instruction on x86-64, so a signal handler that counts in between loses nothing; on
	 * AArch64 it can lose one, if it makes the same call at the same place */
	if (likely(row->tag == tag && row->caller == caller))
		row->count++;
	else
		call_counts_slow(counts, tag, caller);
}

/* The object at that address is destroyed: its rows are not found again. Any thread. */
void call_counts_forget(struct call_counts *counts, const void *object);

/* The object at that address has a row of its own now: its calls are counted there, also the
 * earlier ones. Returns the row that they were counted in; 0: none. Any thread. */
uint16_t call_counts_assign(struct call_counts *counts, const void *object, enum object_kind kind,
			    uint16_t row);

/* Threads that may have rows of it: bit i for all whose record's index is i modulo 64. Any
 * thread. */
uint64_t call_counts_users(const void *object);
