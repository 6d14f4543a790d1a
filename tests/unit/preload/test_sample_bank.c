/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_bank.h"

#include "scratch.h"
#include "tests/unit/unit.h"

enum { THREADS = 4, ROUNDS = 100000 };

static char routines[2];
static uint64_t given[THREADS], taken[THREADS];

START_TEST(what_is_left_is_claimed_once)
{
	sample_bank_reset();
	ck_assert_uint_eq(sample_bank_take(routines, 1000), 0);
	sample_bank_give(routines, 300);
	sample_bank_give(routines, 900);
	ck_assert_uint_eq(sample_bank_take(routines, 1000), 1000);
	ck_assert_uint_eq(sample_bank_take(routines, 1000), 200);
	ck_assert_uint_eq(sample_bank_take(routines, 1000), 0);
	sample_bank_give(routines, 300);
	sample_bank_reset();
	ck_assert_uint_eq(sample_bank_take(routines, 1000), 0);
}
END_TEST

START_TEST(routines_far_apart_have_their_own)
{
	const void *one = (const void *)0x401000, *other = (const void *)0x7f0000402340;

	sample_bank_reset();
	sample_bank_give(one, 300);
	ck_assert_uint_eq(sample_bank_take(other, 1000), 0);
	ck_assert_uint_eq(sample_bank_take(one, 1000), 300);
}
END_TEST

static void *give_and_take(void *number)
{
	uintptr_t i = (uintptr_t)number;

	for (uint64_t round = 0; round < ROUNDS; round++) {
		sample_bank_give(routines, round % 7);
		given[i] += round % 7;
		taken[i] += sample_bank_take(routines, round % 5);
	}
	return NULL;
}

START_TEST(threads_at_once_lose_nothing)
{
	uint64_t sum = 0;

	sample_bank_reset();
	scratch_run(THREADS, give_and_take);
	for (int i = 0; i < THREADS; i++)
		sum += given[i] - taken[i];
	ck_assert_uint_eq(sample_bank_take(routines, UINT64_MAX), sum);
}
END_TEST

UNIT_MAIN("sample_bank", what_is_left_is_claimed_once, routines_far_apart_have_their_own,
	  threads_at_once_lose_nothing)
