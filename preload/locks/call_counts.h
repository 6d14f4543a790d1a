/* SPDX-License-Identifier: MIT */
/* Counts wrapped calls that did not wait: one increment of a row of the profile, found by (object,
 * operation, caller).
 *
 * This is the hottest path of the tool. Context: own thread only, except where a function says
 * otherwise. A signal handler of the program may interrupt any of it, count as much as it wants
 * (so that the table grows), and return or never come back: each step is one instruction that
 * leaves the whole valid, and what follows it looks whether a handler was there in between. So
 * nothing is lost if it returns; if it does not, at most the call that it interrupted. */
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
	 * numbers + 1. Only rows of the present table: each word also has the table's number, and
	 * what is of an earlier one counts as empty. Atomic: read by the thread that destroys
	 * it. */
	uint16_t first[CALL_COUNTS_LISTS], next[CALL_COUNTS_ROWS_MOST];
	/* What every call touches comes last, in one cache line with what follows in the thread's
	 * record. Where the rows are and how many, in one word, so that nobody has the one of a
	 * table and the other of the next: their distance from `call_counts_no_rows`, and below it
	 * their number - 1. A struct of zeros is empty. Atomic: read by other threads. */
	uint64_t table __attribute__((aligned(64)));
	uint32_t used; /* used_rows.h */
	uint32_t owner, index;
	bool is_full; /* some calls are counted without object */
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

enum { CALL_COUNTS_COUNT_BITS = 12 };
_Static_assert(CALL_COUNTS_ROWS_MOST <= 1 << CALL_COUNTS_COUNT_BITS, "room for the number of rows");

static inline uint64_t call_counts_table(const struct row_tallies *rows, uint32_t count)
{
	uint64_t distance = (uint64_t)rows - (uint64_t)call_counts_no_rows;

	return distance << CALL_COUNTS_COUNT_BITS | (count - 1);
}

/* The number of rows - 1. */
static inline uint32_t call_counts_mask(uint64_t table)
{
	return table & ((1u << CALL_COUNTS_COUNT_BITS) - 1);
}

static inline struct row_tallies *call_counts_rows(uint64_t table)
{
	return (void *)((char *)call_counts_no_rows + ((int64_t)table >> CALL_COUNTS_COUNT_BITS));
}

/* Where the search for a row begins. The hash has no more bits than the largest table needs, so
 * that those of `table` above its number of rows do not matter. */
static inline struct row_tallies *call_counts_first(uint64_t table, uint32_t hash)
{
	return &call_counts_rows(table)[hash >> 21 & (uint32_t)table];
}
_Static_assert(CALL_COUNTS_ROWS_MOST == 1 << (32 - 21), "");

static inline void call_counts_add(struct call_counts *counts, const void *object,
				   enum operation operation, uint64_t caller)
{
	uint64_t tag = call_counts_tag(object, operation);
	uint64_t table = __atomic_load_n(&counts->table, __ATOMIC_RELAXED);
	struct row_tallies *row = call_counts_first(table, call_counts_hash(tag, caller));

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
