/* SPDX-License-Identifier: MIT */
/* The interface for wrappers that release what others wait for: a lock, a semaphore, a condition.
 *
 * What is recorded, and who is blamed by it: activity.h. Of releases that follow each other quickly
 * not all are recorded. Context: own thread. Never changes errno. */
#pragma once

#include "preload/locks/objects.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a thread waits for the object at that address. Cheap; may be true by coincidence. */
static inline bool release_is_awaited(const void *address)
{
	return unlikely(__atomic_load_n(object_waiters_of(address), __ATOMIC_RELAXED) != 0);
}

/* Before the real unlock or post, if release_is_awaited. */
void release_object(struct thread *thread, const void *address, enum object_kind kind,
		    const struct site *site);

/* The same before a call of which only the kernel knows whether it wakes anybody: afterwards
 * release_withdraw, if it did not. Returns how many measured waits there were. (holds.h) */
struct tried_release {
	struct object *object; /* NULL: nothing was recorded */
	struct hold_receipt receipt;
};
uint32_t release_try(struct thread *thread, const void *address, enum object_kind kind,
		     const struct site *site, struct tried_release *tried);
void release_withdraw(struct thread *thread, const struct tried_release *tried);

/* The same as release_object for a lock with several holders, of which `others` still hold it;
 * and after one of them took it while others waited (holds.h). */
void release_shared(struct thread *thread, const void *address, enum object_kind kind,
		    uint32_t others, const struct site *site);
void release_take_shared(struct thread *thread, const void *address, enum object_kind kind);

/* Before the real signal or broadcast, if the condition is awaited. */
void release_signal(struct thread *thread, const void *condition, bool is_for_all,
		    const struct site *site);

/* The thread is about to end: nobody waits for its unlock any more. */
void release_finish(struct thread *thread);
