/* SPDX-License-Identifier: MIT */
/* The row of the table `calls` that a routine has in a thread: found by the routine's address.
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
	uint64_t routine; /* 0: free */
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

/* Never NULL. */
static inline struct row_calls *routine_rows_find(struct routine_rows *rows, uint64_t routine)
{
	const struct routine_slot *slot = &rows->slots[hash_bits(routine) & rows->mask];

	return likely(slot->routine == routine) ? slot->row
						: routine_rows_find_slowly(rows, routine);
}
