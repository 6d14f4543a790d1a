/* SPDX-License-Identifier: MIT */
/* Numbers that a damaged file may hold, at the edges of what integers can. */
#include "analyze/number.h"
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

UNIT_MAIN("number", what_makes_sense_is_as_in_c, reals_without_an_integer_have_the_nearest,
	  sums_that_do_not_fit_stay_in_order)
