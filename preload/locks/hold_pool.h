/* SPDX-License-Identifier: MIT */
/* Holders' sums (holds.h) for objects that are waited for: one is taken when the first wait for an
 * object begins, and given back when the object is destroyed.
 *
 * Context: any thread, signal handlers; lock-free. Bounded; memory is mapped in chunks and never
 * freed, so a thread that reads one that was given back meanwhile merely reads other sums. */
#pragma once

#include <stdbool.h>

#include "preload/base/likely.h"
#include "preload/locks/holds.h"

/* Takes one for `where`, which had none, or returns what another thread has put there meanwhile.
 * NULL: no room. */
struct holds *hold_pool_fill(struct holds **where);

/* What is at `where`, or one that is taken for it. NULL: no room. */
static inline struct holds *hold_pool_have(struct holds **where)
{
	struct holds *seen = __atomic_load_n(where, __ATOMIC_ACQUIRE);

	return likely(seen) ? seen : hold_pool_fill(where);
}

/* Leaves `where` empty. */
void hold_pool_give_back(struct holds **where);

/* Whether there was no room at some time. */
bool hold_pool_is_full(void);

/* Start-up and fork child. */
void hold_pool_reset(void);
