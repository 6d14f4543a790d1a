/* SPDX-License-Identifier: MIT */
#include "object_life.h"

#include "likely.h"
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

static void assign_counts(const struct object *object, const void *address)
{
	uint64_t users = tally_users(address);
	uint32_t count = thread_count();
	uint16_t before = 0;

	for (; users; users &= users - 1) {
		for (uint32_t i = (uint32_t)__builtin_ctzll(users); i < count; i += 64) {
			struct thread *thread = thread_at(i);
			uint16_t row = thread ? tally_assign(&thread->tally, address, object->kind,
							     object->row)
					      : 0;
			before = row ? row : before;
		}
	}
	if (before != object->row)
		object_leave_row(before);
}

struct object *object_life_awaited(const void *address, enum object_kind kind, uint64_t place)
{
	struct object *object = object_known(address, kind);

	if (unlikely(!object)) {
		object = object_find(address, kind, place);
		if (object)
			assign_counts(object, address);
	}
	if (likely(object))
		object_observe(object);
	return object;
}
