/* SPDX-License-Identifier: MIT */
#include "preload/file/rows.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>

enum { THREADS = 4, EACH = 2000 };

static struct row_array series = {
	.table = TABLE_objects,
	.row_bytes = sizeof(struct row_objects),
	.rows_per_block = 64,
	.limit = THREADS * EACH + 1,
	.next = 1,
};
static uint8_t seen[THREADS * EACH + 1];

static void *add_rows(void *unused)
{
	(void)unused;
	for (int i = 0; i < EACH; i++) {
		uint32_t number = 0;
		struct row_objects *row = row_array_add(&series, &number);
		if (!row || row != row_array_row(&series, number))
			continue;
		__atomic_fetch_add(&seen[number], 1, __ATOMIC_RELAXED);
		__atomic_store_n(&row->address, number, __ATOMIC_RELEASE);
	}
	return NULL;
}

START_TEST(numbers_are_unique_under_threads)
{
	uint32_t number;

	ck_assert_int_eq(scratch_open(), 0);
	scratch_run(THREADS, add_rows);
	for (int i = 1; i <= THREADS * EACH; i++)
		ck_assert_msg(seen[i] == 1, "number %d was given %d times", i, seen[i]);
	ck_assert_uint_eq(scratch_sum(TABLE_objects, 0, 0),
			  UINT64_C(1) * THREADS * EACH * (THREADS * EACH + 1) / 2);
	ck_assert_ptr_null(row_array_add(&series, &number));
	ck_assert_uint_eq(store_header()->lost_rows, 1);
}
END_TEST

static void count(struct row_hash *hashed, uint64_t key)
{
	struct row_blame *row = row_hash_find(hashed, key, 1);

	ck_assert_ptr_nonnull(row);
	row->count++;
}

static uint64_t counted(uint64_t key)
{
	return scratch_sum(TABLE_blame, key, offsetof(struct row_blame, count));
}

START_TEST(growth_keeps_sums)
{
	struct row_hash hashed;

	ck_assert_int_eq(scratch_open(), 0);
	row_hash_prepare(&hashed, TABLE_blame, sizeof(struct row_blame), 1, 16, 4096);
	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t key = 2; key < 1002; key++)
			count(&hashed, key << 20);
	for (uint64_t key = 2; key < 1002; key++)
		ck_assert_uint_eq(counted(key << 20), 3);
	ck_assert_uint_eq(counted(0), 3000);
}
END_TEST

START_TEST(beyond_the_limit_the_fallback_takes_all)
{
	struct row_hash hashed;

	ck_assert_int_eq(scratch_open(), 0);
	row_hash_prepare(&hashed, TABLE_blame, sizeof(struct row_blame), 1, 16, 64);
	for (uint64_t key = 2; key < 5002; key++)
		count(&hashed, key);
	ck_assert_uint_eq(counted(0), 5000);
	ck_assert_uint_gt(counted(1), 4000);
	ck_assert_uint_gt(store_header()->lost_rows, 0);
}
END_TEST

/* As of waits: a place and an object, the object, and what is left. */
START_TEST(the_last_of_three_keys_finds_room_whatever_the_others_did)
{
	struct row_hash hashed;

	ck_assert_int_eq(scratch_open(), 0);
	row_hash_prepare(&hashed, TABLE_blame, sizeof(struct row_blame), 1, 8, 512);
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t keys[] = {100 + i, 100000 + i, 1 + i % 60};
		struct row_blame *row = row_hash_find_first(&hashed, keys, 3);
		ck_assert_ptr_nonnull(row);
		row->count++;
	}
	ck_assert_uint_eq(counted(0), 5000);
	for (uint64_t last = 1; last <= 60; last++)
		ck_assert_uint_gt(counted(last), 0);
}
END_TEST

START_TEST(a_key_that_is_there_is_found_when_the_table_is_full)
{
	struct row_hash hashed;

	ck_assert_int_eq(scratch_open(), 0);
	row_hash_prepare(&hashed, TABLE_blame, sizeof(struct row_blame), 1, 16, 16);
	count(&hashed, 99);
	for (uint64_t key = 200; key < 300; key++)
		count(&hashed, key);
	count(&hashed, 99);
	ck_assert_uint_eq(counted(99), 2);
}
END_TEST

START_TEST(without_a_store_there_are_no_rows)
{
	struct row_hash hashed;

	row_hash_prepare(&hashed, TABLE_blame, sizeof(struct row_blame), 1, 16, 64);
	ck_assert_ptr_null(row_hash_find(&hashed, 5, 1));
}
END_TEST

UNIT_MAIN("rows", numbers_are_unique_under_threads, growth_keeps_sums,
	  beyond_the_limit_the_fallback_takes_all,
	  the_last_of_three_keys_finds_room_whatever_the_others_did,
	  a_key_that_is_there_is_found_when_the_table_is_full, without_a_store_there_are_no_rows)
