/* SPDX-License-Identifier: MIT */
/* Waits that are timed and not measured otherwise, where a thread's waits are too many
 * (wait_rate.h): nothing is announced, nobody leaves word, and what follows the wait, which holds
 * up all who wait for the same lock, takes 30 ns. Counts, lengths and threads' states are as exact
 * as those of measured waits.
 *
 * Context: own thread. */
#pragma once

#include "preload/locks/wait_rate.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

enum {
	/* Longer ones are measured from then on. Not less: a timer that is due before the kernel's
	 * next tick is set anew at each sleep, which took 9 us on a virtual machine; from 5 ms on
	 * it took nothing. */
	QUICK_WAIT_MOST_NS = 10000000,
	/* And those of more than this, and eight times the average, are not charged to whom was
	 * drawn. */
	UNLIKE_LEAST_NS = 50000,
};

/* Counts a wait that was left out; blame: of the holder that was drawn when it began; holder: the
 * place of the real one, 0: not known. */
void quick_wait_settle(struct thread *thread, struct row_waits *row, struct row_blame *blame,
		       uint64_t ns, uint64_t holder);

/* False: it is to be measured; do not call the others. */
bool quick_wait_begin(struct thread *thread, const void *address, const struct site *site);
void quick_wait_end(struct thread *thread);

/* It lasts: what follows belongs to a measured wait, which begins at once and counts from the same
 * instant. Returns that. */
uint64_t quick_wait_give_up(struct thread *thread);
