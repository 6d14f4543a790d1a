/* SPDX-License-Identifier: MIT */
#include "preload/locks/objects.h"

#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>

static char locks[40000];

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
	uint16_t row = first->row;
	object_destroyed(locks, OBJECT_MUTEX);
	ck_assert_ptr_null(object_known(locks, OBJECT_MUTEX));
	struct object *second = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert_uint_ne(row, second->row);
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
	struct object *a = object_known(&locks[2500], OBJECT_MUTEX),
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
	for (int i = 0; i < 40000; i++)
		object_find(&locks[i], OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert(object_is_full());
	ck_assert_ptr_null(object_known(&locks[39999], OBJECT_MUTEX));
	ck_assert_ptr_nonnull(object_known(&locks[0], OBJECT_MUTEX));
}
END_TEST

/* Sums that belong together: they amount to the time of the latest release. */
enum { HAMMERS = 2, LOOKS = 3000, STEP = 64 };

static struct object *anvil;
static bool is_over;
static unsigned long seen, torn;

static void *look(void)
{
	static struct hold_view view;

	for (int k = 0; k < LOOKS || !seen; k++) {
		uint64_t sum_ns = 0;
		holds_look(object_holds(anvil), &view);
		for (unsigned i = 0; view.is_known && i < view.used; i++)
			sum_ns += view.holds[i].ns;
		torn += view.is_known && sum_ns != view.until_ns;
		seen += view.is_known && view.count;
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
	return NULL;
}

static void *hammer_or_look(void *number)
{
	uint64_t time_ns = 1000 + (uintptr_t)number;

	if ((uintptr_t)number == HAMMERS)
		return look();
	for (; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); time_ns += STEP) {
		struct hold_receipt receipt;
		uint32_t path = 1 + (uint32_t)(time_ns / STEP) % 9;

		if (time_ns / STEP % 2) {
			object_publish(anvil, time_ns, path);
			continue;
		}
		object_try_publish(anvil, time_ns, path, &receipt); /* and others meanwhile */
		object_withdraw(anvil, &receipt);
	}
	return NULL;
}

START_TEST(torn_sums_are_never_seen)
{
	prepare();
	anvil = object_find(locks, OBJECT_MUTEX, (uint64_t)prepare);
	object_observe(anvil);
	scratch_run(HAMMERS + 1, hammer_or_look);
	ck_assert_uint_gt(seen, 0);
	ck_assert_uint_eq(torn, 0);
}
END_TEST

START_TEST(what_is_destroyed_makes_room)
{
	struct hold_view view;

	prepare();
	for (int i = 0; i < 100000; i++) {
		char *address = &locks[i % 7919];
		struct object *object = object_find(address, OBJECT_MUTEX, (uint64_t)prepare);
		ck_assert_ptr_nonnull(object);
		object_observe(object);
		object_hold(object);
		ck_assert_ptr_nonnull(object_holds(object));
		holds_look(object_holds(object), &view);
		ck_assert_uint_eq(view.count, 0);
		object_publish(object, 1000 + (uint64_t)i, 5);
		object_destroyed(address, OBJECT_MUTEX);
		ck_assert_ptr_null(object_known(address, OBJECT_MUTEX));
		holds_look(object_holds(object), &view);
		ck_assert_uint_eq(view.count, 1); /* still in hand */
		object_release(object);
	}
	ck_assert(!object_is_full());
}
END_TEST

START_TEST(calls_that_did_not_wait_leave_room_for_those_that_do)
{
	prepare();
	for (int i = 0; i < 20000; i++)
		ck_assert_uint_ne(object_row(&locks[i], OBJECT_MUTEX, (uint64_t)prepare), 0);
	struct object *object = object_find(&locks[30000], OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert_ptr_nonnull(object);
	object_observe(object);
	ck_assert_ptr_nonnull(object_holds(object));
	for (int i = 0; i < 20000; i++)
		ck_assert_uint_ne(object_row(&locks[i], OBJECT_MUTEX, (uint64_t)prepare),
				  object->row);
	ck_assert(!object_is_full());
	uint64_t members =
		scratch_sum(TABLE_objects, 0, offsetof(struct row_objects, members)) & 0xffffffff;
	ck_assert_uint_le(members, 20001); /* each once, whoever counts it how often */
	ck_assert_uint_ge(members, 19500);
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
	int missed = 0;

	prepare();
	scratch_run(4, find_all);
	for (int i = 0; i < 2000; i++) {
		const struct object *last = object_known(&locks[i], OBJECT_MUTEX);
		ck_assert_ptr_nonnull(last);
		for (int t = 0; t < 4; t++) {
			missed += !found[t][i];
			if (found[t][i])
				ck_assert_ptr_eq(found[t][i], last);
		}
	}
	/* who has the list may lose its processor: it is not waited for without end */
	ck_assert_int_le(missed, 8);
}
END_TEST

static uint16_t counted[8][1000];

static void *count_all(void *number)
{
	for (int i = 0; i < 1000; i++)
		counted[(uintptr_t)number][i] =
			object_row(&locks[i], OBJECT_MUTEX, (uint64_t)prepare);
	return NULL;
}

START_TEST(threads_that_count_the_same_objects_agree_on_their_rows)
{
	int missed = 0;

	prepare();
	scratch_run(8, count_all);
	for (int i = 0; i < 1000; i++)
		for (int t = 0; t < 8; t++)
			missed += counted[t][i] != object_known(&locks[i], OBJECT_MUTEX)->row;
	ck_assert_int_le(missed, 8);
}
END_TEST

UNIT_MAIN("objects", an_object_is_its_address_and_kind, a_destroyed_object_is_not_found_again,
	  an_initialised_object_bears_its_place_of_birth, beyond_the_singles_rows_are_shared,
	  the_limit_is_said, torn_sums_are_never_seen, what_is_destroyed_makes_room,
	  calls_that_did_not_wait_leave_room_for_those_that_do,
	  threads_that_meet_the_same_objects_agree_afterwards,
	  threads_that_count_the_same_objects_agree_on_their_rows)
