/* SPDX-License-Identifier: MIT */
/* Waits that are timed and not measured otherwise, where a thread's waits are too many
 * (wait_rate.h): nothing is announced, nobody leaves word, and what follows the wait, which holds
 * up all who wait for the same lock, takes 30 ns. Counts, lengths and threads' states are as exact
 * as those of measured waits.
 *
 * Context: own thread. */
#pragma once

#include "site.h"
#include "thread.h"
#include "wait_rate.h"

/* Longer ones are to be measured from then on, for their holder is not that of the others: eight
 * times as long as the average one. */
enum { QUICK_WAIT_LEAST_NS = 50000, QUICK_WAIT_MOST_NS = 10000000 };

static inline uint64_t quick_wait_limit(const struct row_waits *row)
{
	uint64_t ns = row->count ? 8 * (row->sum_ns / row->count) : 0;

	if (ns < QUICK_WAIT_LEAST_NS)
		return QUICK_WAIT_LEAST_NS;
	return ns < QUICK_WAIT_MOST_NS ? ns : QUICK_WAIT_MOST_NS;
}

/* False: it is to be measured; do not call the others. */
bool quick_wait_begin(struct thread *thread, const void *address, const struct site *site);
void quick_wait_end(struct thread *thread);

/* It lasts: what follows belongs to a measured wait, which begins at once and counts from the same
 * instant. Returns that. */
uint64_t quick_wait_give_up(struct thread *thread);
