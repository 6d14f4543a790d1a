/* SPDX-License-Identifier: MIT */
/* Sums of who had an object (holds.h), for those that somebody waits for: one is taken when a wait
 * begins that nobody had before, and given back when the object ends.
 *
 * Context: any thread, signal handlers; lock-free. Bounded; memory is mapped in chunks and never
 * freed, so that a look at one that was given back meanwhile reads nothing but other sums. */
#pragma once

#include <stdbool.h>

#include "preload/base/likely.h"
#include "preload/locks/holds.h"

/* For a place that has none: what another thread has put there meanwhile, or one that is taken.
 * NULL: no room. */
struct holds *hold_pool_fill(struct holds **where);

/* The place's own, from now on. NULL: no room. */
static inline struct holds *hold_pool_have(struct holds **where)
{
	struct holds *seen = __atomic_load_n(where, __ATOMIC_ACQUIRE);

	return likely(seen) ? seen : hold_pool_fill(where);
}

/* Leaves the place empty. */
void hold_pool_give_back(struct holds **where);

/* Has there been no room? */
bool hold_pool_is_full(void);

/* Start-up and fork child. */
void hold_pool_reset(void);
