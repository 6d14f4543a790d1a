/* SPDX-License-Identifier: MIT */
/* The row of the table `calls` that a routine has in a thread: found by the routine's address, or
 * by an address in it, as hooks tell the one or the other.
 *
 * Context: own thread, one at a time: a signal handler that interrupts one of these functions calls
 * none of them. errno is never changed. Rows stay valid as long as the profile. */
#pragma once

#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/file/rows.h"

enum {
	ROUTINE_SLOTS_FIRST = 64,
	ROUTINE_SLOTS_MOST = 65536,
	ROUTINE_ROWS_FIRST = 16,
	ROUTINE_ROWS_MOST = 16384, /* further routines have the row [other] */
};

struct routine_slot {
	uint64_t address; /* 0: free */
	struct row_calls *row;
};

struct routine_rows {
	struct routine_slot *slots;
	uint32_t mask, used;
	struct row_hash rows;
	struct routine_slot first[ROUTINE_SLOTS_FIRST];
	struct row_calls nowhere; /* where there is no room for a row: in no file */
};

void routine_rows_prepare(struct routine_rows *rows, uint32_t owner);

/* By the row of `callpaths` where it begins. Never NULL. */
struct row_calls *routine_rows_of_place(struct routine_rows *rows, uint32_t place);

struct row_calls *routine_rows_find_slowly(struct routine_rows *rows, uint64_t routine);

/* Of the routine that has a call which returns to `place`. Never NULL. */
struct row_calls *routine_rows_find_around(struct routine_rows *rows, uint64_t place);

/* From now on calls of the routine are not counted at that place. */
void routine_rows_ignore(struct routine_rows *rows, uint64_t place);

/* The slot that has the address, or a free one for it, without a row: a quarter of them is always
 * free. */
static inline struct routine_slot *routine_rows_probe(const struct routine_rows *rows,
						      uint64_t address)
{
	uint32_t at = hash_bits(address) & rows->mask;

	while (rows->slots[at].address && rows->slots[at].address != address)
		at = (at + 1) & rows->mask;
	return &rows->slots[at];
}

/* Never NULL. */
static inline struct row_calls *routine_rows_find(struct routine_rows *rows, uint64_t routine)
{
	const struct routine_slot *slot = &rows->slots[hash_bits(routine) & rows->mask];

	return likely(slot->address == routine) ? slot->row
						: routine_rows_find_slowly(rows, routine);
}
