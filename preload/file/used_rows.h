/* SPDX-License-Identifier: MIT */
/* How many rows of a table are in use, where a larger table takes its place when it is full. In one
 * word with the number of the table, so that a thread whose signal handler has enlarged it in
 * between does not count in the new one; larger tables have higher numbers, below 128. Own thread
 * and its signal handlers. A word of zeros: no row, of any table. */
#pragma once

#include <stdint.h>

enum { USED_ROWS_BITS = 24 };

static inline uint32_t used_rows_of(const uint32_t *used, uint32_t table)
{
	uint32_t seen = __atomic_load_n(used, __ATOMIC_RELAXED);

	return seen >> USED_ROWS_BITS == table ? seen & ((1u << USED_ROWS_BITS) - 1) : 0;
}

/* One more, or one less after one more. */
static inline void used_rows_add(uint32_t *used, uint32_t table, int32_t change)
{
	uint32_t seen = __atomic_load_n(used, __ATOMIC_RELAXED), wanted;

	do {
		if (seen >> USED_ROWS_BITS > table)
			return;
		wanted = seen >> USED_ROWS_BITS == table ? seen : table << USED_ROWS_BITS;
	} while (!__atomic_compare_exchange_n(used, &seen, wanted + (uint32_t)change, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
