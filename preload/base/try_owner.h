/* SPDX-License-Identifier: MIT */
/* Work that one thread at a time does for all; a thread that finds it taken goes on without.
 *
 * The owner is known, so that a signal handler that interrupted it does not wait for itself, and so
 * that ownership can be given back after the thread has left the work by a jump, or has ended.
 * Context: any thread, signal handlers. All zero: nobody has it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct try_owner {
	uintptr_t thread; /* atomic: address of its try_owner_self; 0: nobody */
};

/* Its address identifies the thread. Each file that includes this has its own, and its own
 * owners. */
static __thread char try_owner_self;

/* False: another thread has it, or this thread itself. */
static inline bool try_owner_take(struct try_owner *owner)
{
	uintptr_t nobody = 0;

	return __atomic_compare_exchange_n(&owner->thread, &nobody, (uintptr_t)&try_owner_self,
					   false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Does the calling thread have it? */
static inline bool try_owner_is_self(const struct try_owner *owner)
{
	return __atomic_load_n(&owner->thread, __ATOMIC_RELAXED) == (uintptr_t)&try_owner_self;
}

static inline void try_owner_give_back(struct try_owner *owner)
{
	__atomic_store_n(&owner->thread, 0, __ATOMIC_RELEASE);
}

/* Gives it back if the calling thread has left the work unfinished. */
static inline void try_owner_let_go(struct try_owner *owner)
{
	if (try_owner_is_self(owner))
		try_owner_give_back(owner);
}
