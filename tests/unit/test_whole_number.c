/* SPDX-License-Identifier: MIT */
#include "common/whole_number.h"

#include "tests/unit/unit.h"

#include <limits.h>

START_TEST(numbers_within_the_limits_are_read)
{
	long number;

	ck_assert(whole_number_read("7", 7, 7, &number));
	ck_assert_int_eq(number, 7);
	ck_assert(whole_number_read("-3", -5, 0, &number));
	ck_assert_int_eq(number, -3);
	ck_assert(!whole_number_read("6", 7, 9, &number));
	ck_assert(!whole_number_read("10", 7, 9, &number));
}
END_TEST

START_TEST(what_is_more_or_less_than_a_number_is_refused)
{
	static const char *const wrong[] = {"", " ", "x", "7x", "7 ", "0x7", "9223372036854775808"};
	long number;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_msg(!whole_number_read(wrong[i], LONG_MIN, LONG_MAX, &number), "'%s'",
			      wrong[i]);
}
END_TEST

UNIT_MAIN("whole_number", numbers_within_the_limits_are_read,
	  what_is_more_or_less_than_a_number_is_refused)
