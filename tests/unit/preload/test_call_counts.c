/* SPDX-License-Identifier: MIT */
#include "preload/locks/objects.h"
#include "preload/locks/call_counts.h"
#include "preload/file/used_rows.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>

static struct call_counts counts;
static char locks[8000];

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	object_reset();
	call_counts_prepare(&counts, 1, 3);
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
			call_counts_add(&counts, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	for (int i = 0; i < 300; i++)
		ck_assert_uint_eq(counted(call_counts_tag(&locks[i], OP_MUTEX_LOCK)), 7);
}
END_TEST

START_TEST(callers_and_operations_have_rows_of_their_own)
{
	prepare();
	call_counts_add(&counts, locks, OP_MUTEX_LOCK, (uint64_t)prepare);
	call_counts_add(&counts, locks, OP_MUTEX_LOCK, (uint64_t)counted);
	call_counts_add(&counts, locks, OP_MUTEX_TRYLOCK, (uint64_t)counted);
	ck_assert_uint_eq(counted(call_counts_tag(locks, OP_MUTEX_LOCK)), 2);
	ck_assert_uint_eq(counted(call_counts_tag(locks, OP_MUTEX_TRYLOCK)), 1);
	ck_assert_uint_eq(counts.used, 1u << USED_ROWS_BITS | 3);
}
END_TEST

START_TEST(more_objects_than_rows_keep_the_total)
{
	prepare();
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5500; i++)
			call_counts_add(&counts, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	ck_assert_uint_eq(counted(0), 11000);
	ck_assert_uint_gt(counted(OP_MUTEX_LOCK), 0);
	ck_assert_uint_gt(store_header()->lost_rows, 0);
}
END_TEST

enum { CROWD_OF_LOCKS = 8000, CALLS_EACH = 3 };

/* Each lock by one operation or the other, in turn. */
static enum operation operation_of(int lock)
{
	return lock % 3 ? OP_MUTEX_LOCK : OP_MUTEX_TRYLOCK;
}

static void count_crowd(int rounds)
{
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < CROWD_OF_LOCKS; i++)
			call_counts_add(&counts, &locks[i], operation_of(i), (uint64_t)prepare);
}

static uint64_t counted_of(int lock)
{
	return counted(call_counts_tag(&locks[lock], operation_of(lock)));
}

/* Among the rows of the present table, wherever it lies. */
static bool has_row(int lock)
{
	uint64_t tag = call_counts_tag(&locks[lock], operation_of(lock));

	for (uint32_t i = 0; i <= call_counts_mask(counts.table); i++)
		if (call_counts_rows(counts.table)[i].tag == tag)
			return true;
	return false;
}

/* When no further row is given out, a lock that has one has all its calls there, whatever others
 * do; those without have none. */
START_TEST(many_more_objects_than_rows_are_exact_by_object_and_by_operation)
{
	static uint64_t before[CROWD_OF_LOCKS];
	uint64_t rows = 0, of_operation[OP_COUNT] = {0}, calls[OP_COUNT] = {0};

	prepare();
	count_crowd(1);
	for (int i = 0; i < CROWD_OF_LOCKS; i++)
		before[i] = counted_of(i);
	count_crowd(CALLS_EACH);
	for (int i = 0; i < CROWD_OF_LOCKS; i++) {
		uint64_t count = counted_of(i);
		ck_assert_uint_eq(count - before[i], has_row(i) ? CALLS_EACH : 0);
		rows += has_row(i);
		of_operation[operation_of(i)] += count;
		calls[operation_of(i)] += 1 + CALLS_EACH;
	}
	/* the rows of the two operations without object have places of their own */
	ck_assert_uint_ge(rows, CALL_COUNTS_ROWS_MOST / 4 * 3 - 2);
	ck_assert_uint_eq(of_operation[OP_MUTEX_LOCK] + counted(OP_MUTEX_LOCK),
			  calls[OP_MUTEX_LOCK]);
	ck_assert_uint_eq(of_operation[OP_MUTEX_TRYLOCK] + counted(OP_MUTEX_TRYLOCK),
			  calls[OP_MUTEX_TRYLOCK]);
}
END_TEST

/* Calls without object, at a place of their own or at none, beside a crowd. */
START_TEST(calls_without_object_are_exact_in_a_crowd)
{
	prepare();
	call_counts_add(&counts, NULL, OP_YIELD, (uint64_t)prepare);
	count_crowd(1);
	for (int i = 0; i < 5; i++) {
		call_counts_add(&counts, NULL, OP_YIELD, (uint64_t)prepare);
		call_counts_add(&counts, NULL, OP_YIELD, 0);
		call_counts_add(&counts, NULL, OP_DETACH, 0);
	}
	ck_assert_uint_eq(counted(OP_YIELD), 6 + 5);
	ck_assert_uint_eq(counted(OP_DETACH), 5);
	ck_assert_uint_eq(counted(0), CROWD_OF_LOCKS + 6 + 5 + 5);
}
END_TEST

static int lock_with_row(void)
{
	int lock = 0;

	while (lock < CROWD_OF_LOCKS - 1 && !has_row(lock))
		lock++;
	return lock;
}

START_TEST(objects_of_a_crowd_are_forgotten_and_assigned)
{
	prepare();
	count_crowd(1);
	int lock = lock_with_row();
	uint16_t before = call_counts_assign(&counts, &locks[lock], OBJECT_MUTEX, 77);
	ck_assert_uint_ne(before, 0);
	ck_assert_uint_eq(call_counts_assign(&counts, &locks[lock], OBJECT_MUTEX, before), 77);
	uint64_t others = counted(operation_of(lock));
	call_counts_forget(&counts, &locks[lock]);
	ck_assert_uint_eq(counted_of(lock), 0);
	ck_assert_uint_eq(call_counts_assign(&counts, &locks[lock], OBJECT_MUTEX, 77), 0);
	call_counts_add(&counts, &locks[lock], operation_of(lock), (uint64_t)prepare);
	ck_assert_uint_eq(counted(operation_of(lock)), others + 1);
	ck_assert_uint_eq(counted(0), CROWD_OF_LOCKS + 1);
}
END_TEST

/* What the record's thread before it left behind, bits of rows and places of rows, is not taken
 * for its own. */
START_TEST(a_tally_that_is_used_again_knows_its_own_rows_only)
{
	prepare();
	count_crowd(1);
	call_counts_prepare(&counts, 2, 3);
	for (int i = CROWD_OF_LOCKS; i-- > 0;)
		for (int call = 0; call < CALLS_EACH; call++)
			call_counts_add(&counts, &locks[i], OP_MUTEX_LOCK, (uint64_t)counted);
	ck_assert_uint_eq(counted(0), CROWD_OF_LOCKS * (1 + CALLS_EACH));
	for (int i = 0; i < CROWD_OF_LOCKS; i++)
		ck_assert_uint_le(counted(call_counts_tag(&locks[i], OP_MUTEX_LOCK)),
				  1 + CALLS_EACH);
	ck_assert_uint_eq(counted(call_counts_tag(&locks[CROWD_OF_LOCKS - 1], OP_MUTEX_LOCK)),
			  CALLS_EACH);
	ck_assert_uint_eq(counted(call_counts_tag(locks, OP_MUTEX_TRYLOCK)), 1);
}
END_TEST

/* Callers whose rows all want the place of the row that takes what has no row. */
START_TEST(a_crowd_where_the_last_resort_lies_loses_nothing)
{
	enum { CROWD = 300 };
	uint64_t tag = call_counts_tag(locks, OP_MUTEX_LOCK);
	uint32_t wanted = call_counts_hash(OP_MUTEX_LOCK, 0) >> 21;
	uint64_t caller = 0;

	prepare();
	for (int i = 0; i < CROWD; i++) {
		do {
			caller++;
		} while (call_counts_hash(tag, caller) >> 21 != wanted);
		call_counts_add(&counts, locks, OP_MUTEX_LOCK, caller);
	}
	ck_assert_uint_eq(counted(0), CROWD);
	ck_assert_uint_gt(counted(OP_MUTEX_LOCK), 0);
}
END_TEST

START_TEST(a_tally_of_zeros_does_nothing)
{
	static struct call_counts zeros;

	prepare();
	for (int i = 0; i < 100; i++)
		call_counts_add(&zeros, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	call_counts_forget(&zeros, locks);
	ck_assert_uint_eq(counted(0), 0);
	ck_assert_uint_eq(call_counts_no_rows[0].count + call_counts_no_rows[1].count, 0);
}
END_TEST

START_TEST(a_forgotten_object_begins_anew_and_keeps_its_past)
{
	prepare();
	call_counts_add(&counts, locks, OP_MUTEX_LOCK, (uint64_t)prepare);
	object_destroyed(locks, OBJECT_MUTEX);
	call_counts_forget(&counts, locks);
	call_counts_add(&counts, locks, OP_MUTEX_LOCK, (uint64_t)prepare);
	ck_assert_uint_eq(counted(call_counts_tag(locks, OP_MUTEX_LOCK)), 1);
	ck_assert_uint_eq(counted(0), 2);
}
END_TEST

START_TEST(calls_that_were_counted_with_others_get_a_row_of_their_own)
{
	prepare();
	for (int i = 0; i < 3000; i++)
		call_counts_add(&counts, &locks[i], OP_MUTEX_LOCK, (uint64_t)prepare);
	uint16_t shared = object_row(&locks[1500], OBJECT_MUTEX, (uint64_t)prepare);
	struct object *object = object_find(&locks[1500], OBJECT_MUTEX, (uint64_t)prepare);
	ck_assert_uint_ne(object->row, shared);
	ck_assert_uint_eq(call_counts_assign(&counts, &locks[1500], OBJECT_RWLOCK, object->row), 0);
	ck_assert_uint_eq(call_counts_assign(&counts, &locks[1500], OBJECT_MUTEX, object->row),
			  shared);
	ck_assert_uint_eq(call_counts_assign(&counts, &locks[1500], OBJECT_MUTEX, object->row),
			  object->row);
}
END_TEST

UNIT_MAIN("counts", counts_are_exact_over_growth, callers_and_operations_have_rows_of_their_own,
	  more_objects_than_rows_keep_the_total,
	  many_more_objects_than_rows_are_exact_by_object_and_by_operation,
	  calls_without_object_are_exact_in_a_crowd, objects_of_a_crowd_are_forgotten_and_assigned,
	  a_tally_that_is_used_again_knows_its_own_rows_only,
	  a_crowd_where_the_last_resort_lies_loses_nothing,
	  calls_that_were_counted_with_others_get_a_row_of_their_own, a_tally_of_zeros_does_nothing,
	  a_forgotten_object_begins_anew_and_keeps_its_past)
