/* SPDX-License-Identifier: MIT */
/* Which thread is on which processor, and which are in a wait: what an event does to that, and the
 * levels that it amounts to. Without switch records, the threads in no wait are taken to run, as
 * far as there are processors.
 *
 * Context: whoever holds the drain (concurrency.c), or the only thread. */
#pragma once

#include "preload/concurrency/event_batch.h"

/* Start-up and fork child: no thread, no records. */
void occupancy_start(unsigned processors);

/* There are so many processors now. */
void occupancy_widen(unsigned processors);

/* At the begin of each drain: counts the processors that are in use. */
void occupancy_count(void);

/* Time passes up to the event, then it happens. In the order of time. */
void occupancy_apply(const struct event *event);

/* Switch records begin, those of every processor; this thread is on that one. */
void occupancy_see_all(unsigned ring, uint32_t tid);

/* Switch records of these threads count from now on, presences[i]'s in ring i (NULL: it has ended).
 * They were opened some time ago, and what they told since then is known. */
void occupancy_see(struct presence *const presences[], unsigned count, uint64_t now_ns);

/* Switch records have ended. */
void occupancy_lose_sight(void);
