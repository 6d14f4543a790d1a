/* SPDX-License-Identifier: MIT */
/* Which thread is on which processor, and which are in a wait: how events change that, and the
 * levels that follow. Without switch records, threads in no wait are assumed to run, as far as
 * there are processors.
 *
 * Context: the thread that holds the drain (concurrency.c), or the only thread. */
#pragma once

#include "preload/concurrency/event_batch.h"

/* Start-up and fork child: no thread, no records. */
void scheduler_state_start(unsigned processors);

/* There are so many processors now. */
void scheduler_state_widen(unsigned processors);

/* At the begin of each drain: counts the processors in use. */
void scheduler_state_count(void);

/* Time passes up to the event, then the event takes effect. Calls in the order of time. */
void scheduler_state_apply(const struct event *event);

/* Switch records of every processor begin. Thread `tid` is on the processor of `ring`. */
void scheduler_state_see_all(unsigned ring, uint32_t tid);

/* Switch records of these threads count from now on, those of event_rings[i] in ring i (NULL: it
 * has ended). The rings were opened some time ago, and their records since then have been applied.
 */
void scheduler_state_see(struct event_ring *const event_rings[], unsigned count, uint64_t now_ns);

/* Switch records have ended. */
void scheduler_state_lose_sight(void);
