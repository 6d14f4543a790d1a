/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include "callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>

static char locks[20000];

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	object_reset();
}

START_TEST(an_object_is_its_address_and_kind)
{
	prepare();
	ck_assert_ptr_null(object_known(locks, OBJECT_MUTEX));
	struct object *mutex = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	struct object *condition = object_find(locks, OBJECT_CONDITION, (uint64_t)prepare);
	ck_assert_ptr_nonnull(mutex);
	ck_assert_ptr_ne(mutex, condition);
	ck_assert_ptr_eq(object_find(locks, OBJECT_MUTEX, 1), mutex);
	ck_assert_ptr_eq(object_known(locks, OBJECT_CONDITION), condition);
	ck_assert_uint_ne(mutex->row, condition->row);
}
END_TEST

START_TEST(a_destroyed_object_is_not_found_again)
{
	prepare();
	struct object *first = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	object_destroyed(locks, OBJECT_MUTEX);
	ck_assert_ptr_null(object_known(locks, OBJECT_MUTEX));
	struct object *second = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert_ptr_ne(first, second);
	ck_assert_uint_ne(first->row, second->row);
}
END_TEST

static void find_flags(const struct format_block *block, void *flags)
{
	const struct row_objects *rows = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_objects && i < block->capacity; i++)
		if (rows[i].address == (uint64_t)locks)
			*(unsigned *)flags = rows[i].flags | rows[i].birth << 8;
}

START_TEST(an_initialised_object_bears_its_place_of_birth)
{
	unsigned flags = 0;

	prepare();
	object_initialised(locks, OBJECT_MUTEX, (uint64_t)find_flags);
	object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	scratch_walk(find_flags, &flags);
	ck_assert_uint_eq(flags & 0xff, OBJECT_INITIALISED);
	ck_assert_uint_eq(flags >> 8, callpath_place((uint64_t)find_flags));
	object_destroyed(locks, OBJECT_MUTEX);
	scratch_walk(find_flags, &flags);
	ck_assert_uint_eq(flags & 0xff, OBJECT_INITIALISED | OBJECT_DESTROYED);
}
END_TEST

START_TEST(beyond_the_singles_rows_are_shared)
{
	uint64_t members = 0;

	prepare();
	for (int i = 0; i < 3000; i++)
		ck_assert_ptr_nonnull(object_find(&locks[i], OBJECT_MUTEX, (uint64_t)prepare));
	struct object *a = object_known(&locks[2000], OBJECT_MUTEX),
		      *b = object_known(&locks[2999], OBJECT_MUTEX);
	ck_assert_ptr_ne(a, b);
	ck_assert_uint_ne(a->row, 0);
	ck_assert_uint_eq(a->row, b->row);
	members = scratch_sum(TABLE_objects, 0, offsetof(struct row_objects, members)) & 0xffffffff;
	ck_assert_uint_eq(members, 3000);
	ck_assert(!object_is_full());
}
END_TEST

START_TEST(the_limit_is_said)
{
	prepare();
	for (int i = 0; i < 20000; i++)
		object_find(&locks[i], OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert(object_is_full());
	ck_assert_ptr_null(object_known(&locks[19999], OBJECT_MUTEX));
	ck_assert_ptr_nonnull(object_known(&locks[0], OBJECT_MUTEX));
}
END_TEST

START_TEST(events_come_in_order_of_time)
{
	struct object_event events[OBJECT_EVENTS];

	prepare();
	struct object *object = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	for (uint32_t i = 1; i <= 20; i++)
		object_publish(object, 1000 + (i ^ 1), i);
	ck_assert_uint_eq(object_events(object, 0, 5000, events), OBJECT_EVENTS);
	for (unsigned i = 1; i < OBJECT_EVENTS; i++)
		ck_assert_uint_lt(events[i - 1].time_ns, events[i].time_ns);
	ck_assert_uint_eq(object_events(object, 1018, 1019, events), 1);
	ck_assert_uint_eq(events[0].path, 18);
	ck_assert_uint_eq(object_events(object, 1021, 5000, events), 0);
}
END_TEST

enum { HAMMERS = 2, LOOKS = 100000 };

static struct object *anvil;
static bool is_over;
static unsigned long seen, torn;

/* The path is a function of the time, so that a pair that never was betrays itself. */
static uint32_t path_of(uint64_t time_ns)
{
	return (uint32_t)(time_ns * 2654435761u >> 7);
}

static void *look(void)
{
	struct object_event events[OBJECT_EVENTS];

	for (int k = 0; k < LOOKS || !seen; k++) {
		unsigned count = object_events(anvil, 0, UINT64_MAX, events);
		for (unsigned i = 0; i < count; i++)
			torn += events[i].path != path_of(events[i].time_ns);
		seen += count;
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
	return NULL;
}

static void *hammer_or_look(void *number)
{
	uint64_t time_ns = UINT64_C(7000000000000) + (uintptr_t)number;

	if ((uintptr_t)number == HAMMERS)
		return look();
	for (; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); time_ns += HAMMERS)
		object_publish(anvil, time_ns, path_of(time_ns));
	return NULL;
}

START_TEST(torn_events_are_never_seen)
{
	prepare();
	anvil = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	scratch_run(HAMMERS + 1, hammer_or_look);
	ck_assert_uint_gt(seen, 0);
	ck_assert_uint_eq(torn, 0);
}
END_TEST

static struct object *found[4][2000];

static void *find_all(void *number)
{
	for (int i = 0; i < 2000; i++)
		found[(uintptr_t)number][i] =
			object_find(&locks[i], OBJECT_MUTEX, (uint64_t)prepare);
	return NULL;
}

START_TEST(threads_that_meet_the_same_objects_agree_afterwards)
{
	prepare();
	scratch_run(4, find_all);
	for (int i = 0; i < 2000; i++) {
		const struct object *last = object_known(&locks[i], OBJECT_MUTEX);
		ck_assert_ptr_nonnull(last);
		for (int t = 0; t < 4; t++) {
			ck_assert_ptr_nonnull(found[t][i]);
			ck_assert_uint_eq(found[t][i]->address, (uint64_t)&locks[i]);
		}
	}
}
END_TEST

UNIT_MAIN("objects", an_object_is_its_address_and_kind, a_destroyed_object_is_not_found_again,
	  an_initialised_object_bears_its_place_of_birth, beyond_the_singles_rows_are_shared,
	  the_limit_is_said, events_come_in_order_of_time, torn_events_are_never_seen,
	  threads_that_meet_the_same_objects_agree_afterwards)
