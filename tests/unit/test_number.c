/* SPDX-License-Identifier: MIT */
/* Numbers that a damaged file may hold, at the edges of what integers can. */
#include "analyze/base/number.h"
#include "tests/unit/unit.h"

#include <math.h>

START_TEST(what_makes_sense_is_as_in_c)
{
	ck_assert_uint_eq(number_of_real(0), 0);
	ck_assert_uint_eq(number_of_real(1.9), 1);
	ck_assert_uint_eq(number_of_real(0x1p63), (uint64_t)1 << 63);
	ck_assert_int_eq(number_of_signed_real(-1.9), -1);
	ck_assert_int_eq(number_of_signed_real(1.9), 1);
	ck_assert_int_eq(number_of_signed_real(0), 0);
	ck_assert_int_eq(number_sum(-3, 5), 2);
	ck_assert_int_eq(number_difference(-3, 5), -8);
}
END_TEST

START_TEST(reals_without_an_integer_have_the_nearest)
{
	ck_assert_uint_eq(number_of_real(NAN), 0);
	ck_assert_uint_eq(number_of_real(-1), 0);
	ck_assert_uint_eq(number_of_real(-INFINITY), 0);
	ck_assert_uint_eq(number_of_real(0x1p64), UINT64_MAX);
	ck_assert_uint_eq(number_of_real(INFINITY), UINT64_MAX);
	ck_assert_int_eq(number_of_signed_real(NAN), 0);
	ck_assert_int_eq(number_of_signed_real(0x1p63), INT64_MAX);
	ck_assert_int_eq(number_of_signed_real(-0x1p63), INT64_MIN);
	ck_assert_int_eq(number_of_signed_real(-0x1p64), INT64_MIN);
	ck_assert_int_eq(number_of_signed_real(INFINITY), INT64_MAX);
}
END_TEST

START_TEST(sums_that_do_not_fit_stay_in_order)
{
	ck_assert_int_eq(number_sum(INT64_MAX, 1), INT64_MAX);
	ck_assert_int_eq(number_sum(INT64_MIN, -1), INT64_MIN);
	ck_assert_int_eq(number_difference(INT64_MIN, 1), INT64_MIN);
	ck_assert_int_eq(number_difference(INT64_MAX, -1), INT64_MAX);
	ck_assert_int_eq(number_difference(0, INT64_MIN), INT64_MAX);
}
END_TEST

/* 97, 301, 7, ...: one after the other, from the last to the first, and in two halves. */
START_TEST(united_means_do_not_depend_on_the_order)
{
	double values[] = {97, 301, 7, 1013, 100003, 3, 11}, forth = 0, back = 0, half = 0,
	       rest = 0;
	int count = sizeof values / sizeof *values;

	for (int i = 0; i < count; i++) {
		forth = number_united_mean(forth, i, values[i], 1);
		back = number_united_mean(back, i, values[count - 1 - i], 1);
	}
	for (int i = 0; i < 3; i++)
		half = number_united_mean(half, i, values[i], 1);
	for (int i = 3; i < count; i++)
		rest = number_united_mean(rest, i - 3, values[i], 1);
	ck_assert(forth == 101435.0 / 7);
	ck_assert(back == forth);
	ck_assert(number_united_mean(half, 3, rest, 4) == forth);
}
END_TEST

UNIT_MAIN("number", what_makes_sense_is_as_in_c, reals_without_an_integer_have_the_nearest,
	  sums_that_do_not_fit_stay_in_order, united_means_do_not_depend_on_the_order)
