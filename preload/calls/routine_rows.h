/* SPDX-License-Identifier: MIT */
/* The row of the table `calls` that a routine has in a thread: found by the routine's address, or
 * by an address in it, as hooks tell the one or the other.
 *
 * Context: own thread. A signal handler that interrupts one of these functions mostly calls none of
 * them; if it does, no memory is damaged: slots are looked for and their number is found by one
 * pointer, and those that are outgrown stay where they are. errno is never changed. Rows stay valid
 * as long as the profile. */
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

struct routine_slots {
	uint32_t mask, used;
	struct routine_slot *at;
};

struct routine_rows {
	struct routine_slots *slots;
	struct row_hash rows;
	struct routine_slots first;
	struct routine_slot first_at[ROUTINE_SLOTS_FIRST];
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
static inline struct routine_slot *routine_slots_probe(const struct routine_slots *slots,
						       uint64_t address)
{
	uint32_t at = hash_bits(address) & slots->mask;

	while (slots->at[at].address && slots->at[at].address != address)
		at = (at + 1) & slots->mask;
	return &slots->at[at];
}

/* NULL: nothing has looked for that address yet. */
static inline struct row_calls *routine_rows_seek(const struct routine_rows *rows, uint64_t address)
{
	const struct routine_slots *slots = __atomic_load_n(&rows->slots, __ATOMIC_RELAXED);

	return routine_slots_probe(slots, address)->row;
}

/* Never NULL. */
static inline struct row_calls *routine_rows_find(struct routine_rows *rows, uint64_t routine)
{
	const struct routine_slots *slots = __atomic_load_n(&rows->slots, __ATOMIC_RELAXED);
	const struct routine_slot *slot = &slots->at[hash_bits(routine) & slots->mask];

	return likely(slot->address == routine) ? slot->row
						: routine_rows_find_slowly(rows, routine);
}
