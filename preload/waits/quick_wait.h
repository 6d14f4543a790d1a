/* SPDX-License-Identifier: MIT */
/* Waits that are only timed, because a thread has too many of them (wait_rate.h). Those for mutexes
 * are not announced, so releases are not recorded for them, and the work after the wait, which
 * delays all other waiters for the lock, takes 30 ns. Counts, lengths and threads' states are as
 * exact as those of measured waits.
 *
 * Context: own thread. */
#pragma once

#include "preload/locks/wait_rate.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"
#include "preload/waits/wait_rows.h"

enum {
	/* A longer wait is measured from there on. Not less: a timer that is due before the
	 * kernel's next tick is programmed at each sleep, which took 9 us on a virtual machine;
	 * from 5 ms on it took nothing. */
	QUICK_WAIT_MOST_NS = 10000000,
};

/* Counts a wait that was only timed; blame: row of the holder that was drawn at its begin; holder:
 * place of the real one, 0: not known. */
void quick_wait_settle(struct thread *thread, struct row_waits *row, struct row_blame *blame,
		       uint64_t ns, uint64_t holder);

/* False: the wait is to be measured; do not call the others. */
bool quick_wait_begin(struct thread *thread, const void *address, const struct site *site);
void quick_wait_end(struct thread *thread);

/* The same for waits without a time limit that we could set (conditions, semaphores, spin locks).
 * Nobody can say how long they last, so they are announced: of each thread's releases one in 200 us
 * is recorded (activity.c), so that a long wait has its releaser. mutex: of a condition, whose wait
 * releases it; NULL: none. */
bool quick_wait_begin_announced(struct thread *thread, const void *address, const void *mutex,
				const struct site *site);
void quick_wait_end_announced(struct thread *thread, enum outcome outcome);

/* It lasts too long: a measured wait follows at once, which counts from the same instant. Returns
 * that instant. */
uint64_t quick_wait_give_up(struct thread *thread);
