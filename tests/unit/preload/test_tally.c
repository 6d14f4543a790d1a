/* SPDX-License-Identifier: MIT */
#include "callpath.h"
#include "objects.h"
#include "scratch.h"
#include "tally.h"
#include "tests/unit/unit.h"

#include <stddef.h>

static struct tally tally;
static char locks[8000];

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	object_reset();
	tally_prepare(&tally, 1, 3);
}

static uint64_t counted(uint64_t tag)
{
	return scratch_sum(TABLE_tallies, tag, offsetof(struct row_tallies, count));
}

START_TEST(counts_are_exact_over_growth)
{
	prepare();
	for (int round = 0; round < 7; round++)
		for (int i = 0; i < 300; i++)
			tally_count(&tally, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	for (int i = 0; i < 300; i++)
		ck_assert_uint_eq(counted(tally_tag(&locks[i], OP_MUTEX_LOCK)), 7);
}
END_TEST

START_TEST(callers_and_operations_have_rows_of_their_own)
{
	prepare();
	tally_count(&tally, locks, OP_MUTEX_LOCK, (uint64_t)prepare);
	tally_count(&tally, locks, OP_MUTEX_LOCK, (uint64_t)counted);
	tally_count(&tally, locks, OP_MUTEX_TRYLOCK, (uint64_t)counted);
	ck_assert_uint_eq(counted(tally_tag(locks, OP_MUTEX_LOCK)), 2);
	ck_assert_uint_eq(counted(tally_tag(locks, OP_MUTEX_TRYLOCK)), 1);
	ck_assert_uint_eq(tally.used, 3);
}
END_TEST

START_TEST(more_objects_than_rows_keep_the_total)
{
	prepare();
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5500; i++)
			tally_count(&tally, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	ck_assert_uint_eq(counted(0), 11000);
	ck_assert_uint_gt(counted(OP_MUTEX_LOCK), 0);
	ck_assert_uint_gt(store_header()->lost_rows, 0);
}
END_TEST

/* Callers whose rows all want the place of the row that takes what has no row. */
START_TEST(a_crowd_where_the_last_resort_lies_loses_nothing)
{
	enum { CROWD = 300 };
	uint64_t tag = tally_tag(locks, OP_MUTEX_LOCK);
	uint32_t mask = TALLY_ROWS_MOST - 1;
	uint32_t wanted = tally_hash(OP_MUTEX_LOCK, 0) & mask;
	uint64_t caller = 0;

	prepare();
	for (int i = 0; i < CROWD; i++) {
		do {
			caller++;
		} while ((tally_hash(tag, caller) & mask) != wanted);
		tally_count(&tally, locks, OP_MUTEX_LOCK, caller);
	}
	ck_assert_uint_eq(counted(0), CROWD);
	ck_assert_uint_gt(counted(OP_MUTEX_LOCK), 0);
}
END_TEST

START_TEST(a_tally_of_zeros_does_nothing)
{
	static struct tally zeros;

	prepare();
	for (int i = 0; i < 100; i++)
		tally_count(&zeros, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	tally_forget(&zeros, locks);
	ck_assert_uint_eq(counted(0), 0);
	ck_assert_uint_eq(tally_no_rows[0].count + tally_no_rows[1].count, 0);
}
END_TEST

START_TEST(a_forgotten_object_begins_anew_and_keeps_its_past)
{
	prepare();
	tally_count(&tally, locks, OP_MUTEX_LOCK, (uint64_t)prepare);
	object_destroyed(locks, OBJECT_MUTEX);
	tally_forget(&tally, locks);
	tally_count(&tally, locks, OP_MUTEX_LOCK, (uint64_t)prepare);
	ck_assert_uint_eq(counted(tally_tag(locks, OP_MUTEX_LOCK)), 1);
	ck_assert_uint_eq(counted(0), 2);
}
END_TEST

START_TEST(calls_that_were_counted_with_others_get_a_row_of_their_own)
{
	prepare();
	for (int i = 0; i < 3000; i++)
		tally_count(&tally, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	uint16_t shared = object_row(&locks[1500], OBJECT_MUTEX, (uint64_t)prepare);
	struct object *object = object_find(&locks[1500], OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert_uint_ne(object->row, shared);
	ck_assert_uint_eq(tally_assign(&tally, &locks[1500], OBJECT_RWLOCK, object->row), 0);
	ck_assert_uint_eq(tally_assign(&tally, &locks[1500], OBJECT_MUTEX, object->row), shared);
	ck_assert_uint_eq(tally_assign(&tally, &locks[1500], OBJECT_MUTEX, object->row),
			  object->row);
}
END_TEST

UNIT_MAIN("tally", counts_are_exact_over_growth, callers_and_operations_have_rows_of_their_own,
	  more_objects_than_rows_keep_the_total, a_crowd_where_the_last_resort_lies_loses_nothing,
	  calls_that_were_counted_with_others_get_a_row_of_their_own, a_tally_of_zeros_does_nothing,
	  a_forgotten_object_begins_anew_and_keeps_its_past)
