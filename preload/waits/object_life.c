/* SPDX-License-Identifier: MIT */
#include "preload/waits/object_life.h"

#include "preload/base/likely.h"
#include "preload/thread/thread.h"

/* Threads that may have counted calls at an address, in rows that are found by it. Most objects are
 * used by few threads, and only those are visited. */
struct users {
	uint64_t bits;   /* those still to come (call_counts_users) */
	uint32_t offset; /* of the next thread with the lowest of these bits */
	uint32_t count;  /* of all threads */
};

static struct users users_of(const void *address)
{
	struct users users = {.bits = call_counts_users(address)};

	users.count = thread_count();
	return users;
}

/* NULL: there is no further one. */
static struct thread *next_user(struct users *users)
{
	while (users->bits) {
		uint32_t index = users->offset + (uint32_t)__builtin_ctzll(users->bits);
		struct thread *thread = index < users->count ? thread_at(index) : NULL;

		users->offset += 64;
		if (thread)
			return thread;
		if (index >= users->count) {
			users->bits &= users->bits - 1;
			users->offset = 0;
		}
	}
	return NULL;
}

static void forget_counts(const void *address)
{
	struct users users = users_of(address);
	struct thread *thread;

	while ((thread = next_user(&users)))
		call_counts_forget(&thread->counts, address);
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
	struct users users = users_of(address);
	struct thread *thread;
	uint16_t before = 0;

	while ((thread = next_user(&users))) {
		uint16_t row =
			call_counts_assign(&thread->counts, address, object->kind, object->row);
		before = row ? row : before;
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
