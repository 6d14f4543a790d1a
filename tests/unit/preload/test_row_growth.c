/* SPDX-License-Identifier: MIT */
/* Rows where the file has no room for the moment: another thread makes it larger, and its processor
 * is taken from it. The store is this test's own. */
#include "preload/file/rows.h"
#include "preload/file/store.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 16, LIMIT = 4096 };

static unsigned refusals; /* how often the next blocks are refused */
static unsigned losses, missing;

struct format_block *store_block(enum schema_table table, uint32_t row_bytes, uint32_t owner,
				 uint32_t first_row, uint32_t capacity)
{
	(void)table, (void)owner, (void)first_row;
	if (refusals) {
		refusals--;
		return NULL;
	}
	struct format_block *block = NULL;
	size_t bytes = sizeof *block + (size_t)row_bytes * capacity;
	ck_assert_int_eq(posix_memalign((void **)&block, 64, bytes), 0);
	memset(block, 0, bytes);
	return block;
}

void store_count_loss(void)
{
	losses++;
}

void store_tell_missing(void)
{
	missing++;
}

static void begin(struct row_hash *hashed)
{
	refusals = losses = missing = 0;
	row_hash_prepare(hashed, TABLE_blame, sizeof(struct row_blame), 1, FIRST, LIMIT);
}

static uint64_t found(struct row_hash *hashed, uint64_t key)
{
	uint64_t keys[] = {key, 2, 1};
	uint64_t *row = row_hash_find_first(hashed, keys, 3);

	return row ? *row : 0;
}

START_TEST(room_that_comes_late_is_the_first_keys)
{
	struct row_hash hashed;

	for (unsigned late = 0; late < 3; late++) {
		begin(&hashed);
		refusals = late;
		ck_assert_uint_eq(found(&hashed, 100), 100);
		ck_assert_uint_eq(losses, 0);
		ck_assert_uint_eq(missing, 0);
		ck_assert_ptr_null(row_hash_seek(&hashed, 1));
		ck_assert_ptr_null(row_hash_seek(&hashed, 2));
	}
}
END_TEST

START_TEST(without_room_nothing_is_found_and_that_is_told)
{
	struct row_hash hashed;

	begin(&hashed);
	refusals = 3;
	ck_assert_uint_eq(found(&hashed, 100), 0);
	ck_assert_uint_eq(losses, 1);
	ck_assert_uint_eq(missing, 1);
}
END_TEST

/* Rows that are there have room for the lesser keys, if for no other. */
START_TEST(a_table_that_may_not_grow_now_takes_the_lesser_key)
{
	struct row_hash hashed;
	uint64_t key = 100;

	begin(&hashed);
	while (row_hash_used(&hashed) < FIRST - FIRST / 4)
		found(&hashed, key++);
	refusals = 2;
	ck_assert_uint_eq(found(&hashed, key), 2);
	ck_assert_uint_eq(losses, 1);
	ck_assert_uint_eq(refusals, 0);
	ck_assert_uint_eq(found(&hashed, key), key);
	ck_assert_uint_eq(missing, 0);
}
END_TEST

UNIT_MAIN("row growth", room_that_comes_late_is_the_first_keys,
	  without_room_nothing_is_found_and_that_is_told,
	  a_table_that_may_not_grow_now_takes_the_lesser_key)
