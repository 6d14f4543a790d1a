/* SPDX-License-Identifier: MIT */
/* What a wait that has just ended counts as, and who is charged with it.
 * Context: own thread, is_busy. Never changes errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/thread/thread.h"
#include "preload/waits/wait_rows.h"

/* Counts the wait, and charges it to who caused it. If the profile cannot grow, rows are missing;
 * waiting and blame still agree: a wait without a row is not charged, and what could not be charged
 * is not counted as waiting (settle_lost). False: there is no row. */
bool settle_wait(struct thread *thread, struct open_wait *wait, uint64_t end_ns,
		 enum outcome outcome);

/* The joined thread has charged its own samples. Its CPU time besides them is charged to its start
 * routine; for the rest of the wait it did not run. */
void settle_join(struct thread *thread, enum outcome outcome, uint64_t wait_ns);

/* A wait for a condition. settle_is_futile: the thread was woken by a signal of this condition and
 * waits for it again at once: what it was woken for had not come. Had it come, the thread would
 * have unlocked the mutex, signalled others, or worked. settle_woken: at the end of each. */
bool settle_is_futile(const struct thread *thread, const struct open_wait *wait);
void settle_woken(struct thread *thread, const struct open_wait *wait, bool is_signalled);

/* After these: takes back waiting that could not be charged. */
void settle_lost(struct thread *thread);

/* A jump has left all that: what is owed is nobody's. */
void settle_left(struct thread *thread);
