/* SPDX-License-Identifier: MIT */
#include "object_life.h"

#include "objects.h"
#include "thread.h"

/* Rows of calls that did not wait are found by address. Most objects are used by few threads, and
 * only those are asked. */
static void forget_counts(const void *address)
{
	uint64_t users = tally_users(address);
	uint32_t count = thread_count();

	for (; users; users &= users - 1) {
		for (uint32_t i = (uint32_t)__builtin_ctzll(users); i < count; i += 64) {
			struct thread *thread = thread_at(i);
			if (thread)
				tally_forget(&thread->tally, address);
		}
	}
}

void object_life_begin(const void *address, enum object_kind kind, uint64_t caller)
{
	object_initialised(address, kind, caller);
	forget_counts(address);
}

void object_life_end(const void *address, enum object_kind kind)
{
	object_destroyed(address, kind);
	forget_counts(address);
}
