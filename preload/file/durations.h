/* SPDX-License-Identifier: MIT */
/* Durations as a row keeps them: sum, shortest, longest, and how many there were of each power of
 * two. The columns are sum_ns, min_ns, max_ns and histogram, of any table. Context: own thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { DURATION_BINS = 32 };

struct durations {
	uint64_t *sum_ns, *min_ns, *max_ns;
	uint32_t *histogram; /* bin i: from 2^i ns to less than 2^(i+1); the last is open */
};

#define DURATIONS_OF(row)                                                                          \
	((struct durations){&(row)->sum_ns, &(row)->min_ns, &(row)->max_ns, (row)->histogram})

/* All but the sum. */
static inline __attribute__((always_inline)) void durations_note(struct durations to, uint64_t ns,
								 bool is_first)
{
	unsigned bin = 63u - (unsigned)__builtin_clzll(ns | 1);

	if (is_first || ns < *to.min_ns)
		*to.min_ns = ns;
	if (ns > *to.max_ns)
		*to.max_ns = ns;
	to.histogram[bin < DURATION_BINS ? bin : DURATION_BINS - 1]++;
}

static inline __attribute__((always_inline)) void durations_add(struct durations to, uint64_t ns,
								bool is_first)
{
	durations_note(to, ns, is_first);
	*to.sum_ns += ns;
}
