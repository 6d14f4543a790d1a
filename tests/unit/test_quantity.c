/* SPDX-License-Identifier: MIT */
#include "analyze/base/quantity.h"
#include "tests/unit/unit.h"

#include <math.h>

#define ASSERT_READS(quantity, wanted) ck_assert_str_eq((quantity).text, wanted)

START_TEST(times_have_three_digits_and_a_unit)
{
	ASSERT_READS(quantity_seconds(0), "0 s");
	ASSERT_READS(quantity_seconds(-5), "0 s");
	ASSERT_READS(quantity_seconds(12), "12 ns");
	ASSERT_READS(quantity_seconds(999.4), "999 ns");
	ASSERT_READS(quantity_seconds(999.6), "1.00 us");
	ASSERT_READS(quantity_seconds(45.6e6), "45.6 ms");
	ASSERT_READS(quantity_seconds(999.4e9), "999 s");
	ASSERT_READS(quantity_seconds(999.6e9), "16.7 min");
	ASSERT_READS(quantity_seconds(1660e9), "27.7 min");
	ASSERT_READS(quantity_seconds(3597.1e9), "1.00 h");
	ASSERT_READS(quantity_seconds(3596.9e9), "59.9 min");
	ASSERT_READS(quantity_seconds(200 * 3600e9), "200 h");
	ASSERT_READS(quantity_seconds(123456 * 3600e9), "123456 h");
	ASSERT_READS(quantity_seconds(NAN), "?");
}
END_TEST

START_TEST(counts_have_all_their_digits)
{
	ASSERT_READS(quantity_count(0), "0");
	ASSERT_READS(quantity_count(7190121), "7190121");
	ASSERT_READS(quantity_count(18446744073709551615.0), "18446744073709551616");
	ASSERT_READS(quantity_count(INFINITY), "?");
}
END_TEST

START_TEST(what_is_counted_agrees_with_its_count)
{
	ASSERT_READS(quantity_things(0, "thread"), "0 threads");
	ASSERT_READS(quantity_things(1, "thread"), "1 thread");
	ASSERT_READS(quantity_things(11, "thread"), "11 threads");
	ASSERT_READS(quantity_things(1, "process"), "1 process");
	ASSERT_READS(quantity_things(2, "process"), "2 processes");
	ASSERT_READS(quantity_things(18446744073709551615.0, "wait"), "18446744073709551616 waits");
	ASSERT_READS(quantity_things(NAN, "wait"), "? waits");
}
END_TEST

START_TEST(nothing_has_an_exponent)
{
	ASSERT_READS(quantity_plain(4), "4");
	ASSERT_READS(quantity_plain(2.5), "2.5");
	ASSERT_READS(quantity_plain(1048576), "1048576");
	ASSERT_READS(quantity_plain(1e7), "10000000");
	ASSERT_READS(quantity_plain(0.0001), "0.0001");
	ASSERT_READS(quantity_plain(0), "0");
	ASSERT_READS(quantity_plain(NAN), "?");
	ASSERT_READS(quantity_factor(1.5), "x1.5");
	ASSERT_READS(quantity_factor(9.96), "x10");
	ASSERT_READS(quantity_factor(250), "x250");
	ASSERT_READS(quantity_factor(0.55), "x0.55");
	ASSERT_READS(quantity_factor(0.0123), "x0.012");
	ASSERT_READS(quantity_factor(0), "x0");
	ASSERT_READS(quantity_factor(INFINITY), "?");
}
END_TEST

START_TEST(sizes_have_units_of_1024)
{
	ASSERT_READS(quantity_size(0), "0 B");
	ASSERT_READS(quantity_size(512), "512 B");
	ASSERT_READS(quantity_size(999), "999 B");
	ASSERT_READS(quantity_size(1023), "1.00 KiB");
	ASSERT_READS(quantity_size(1536), "1.50 KiB");
	ASSERT_READS(quantity_size(12900000), "12.3 MiB");
	ASSERT_READS(quantity_size(UINT64_MAX), "16.0 EiB");
}
END_TEST

START_TEST(rates_have_three_digits_and_a_word)
{
	ASSERT_READS(quantity_rate(0), "0");
	ASSERT_READS(quantity_rate(850), "850");
	ASSERT_READS(quantity_rate(47900), "47.9 thousand");
	ASSERT_READS(quantity_rate(999600), "1.00 million");
	ASSERT_READS(quantity_rate(2.98e6), "2.98 million");
	ASSERT_READS(quantity_rate(1.2e9), "1.20 billion");
	ASSERT_READS(quantity_rate(NAN), "?");
}
END_TEST

START_TEST(shares_and_numbers)
{
	ASSERT_READS(quantity_percent(48.4), "48 %");
	ASSERT_READS(quantity_percent(4.84), "4.8 %");
	ASSERT_READS(quantity_percent(0), "0 %");
	ASSERT_READS(quantity_number(1.434), "1.43");
	ASSERT_READS(quantity_number(143.4), "143");
	ASSERT_READS(quantity_number(-INFINITY), "?");
}
END_TEST

UNIT_MAIN("quantity", times_have_three_digits_and_a_unit, counts_have_all_their_digits,
	  what_is_counted_agrees_with_its_count, nothing_has_an_exponent, sizes_have_units_of_1024,
	  rates_have_three_digits_and_a_word, shares_and_numbers)
