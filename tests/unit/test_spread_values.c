/* SPDX-License-Identifier: MIT */
/* The times behind a spread. */
#include "analyze/model/time/spread_values.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static struct spread_units units;
static struct spread_pairs pairs;

static void add(size_t process, uint64_t self_ns, uint64_t total_ns)
{
	const struct spread_unit unit = {.process = process};
	const struct spread_pair pair = {spread_units_add(&units, &unit), self_ns, total_ns};

	spread_pairs_add(&pairs, &units, &pair);
}

static void end(void)
{
	spread_pairs_clear(&pairs);
	free(units.rows);
	units = (struct spread_units){0};
}

START_TEST(few_are_all_there)
{
	struct spread_value *values;

	add(0, 5, 5);
	add(1, 0, 30);
	add(2, 7, 9);
	values = spread_pairs_values(&pairs, &units, false);
	ck_assert_uint_eq(pairs.count, 3);
	ck_assert_uint_eq(values[0].ns, 7);
	ck_assert_uint_eq(values[0].at.process, 2);
	ck_assert_uint_eq(values[1].ns, 5);
	ck_assert_uint_eq(values[2].ns, 0);
	free(values);
	values = spread_pairs_values(&pairs, &units, true);
	ck_assert_uint_eq(values[0].ns, 30);
	ck_assert_uint_eq(values[0].at.process, 1);
	free(values);
	end();
}
END_TEST

/* Whatever the order in which they come. */
START_TEST(of_many_the_largest_are_kept)
{
	enum { UNITS = 1009 };
	struct spread_value *values;

	for (size_t i = 0; i < UNITS; i++) /* each number below UNITS once: it is a prime */
		add(i, i * 500 % UNITS, UNITS);
	values = spread_pairs_values(&pairs, &units, false);
	ck_assert_uint_eq(pairs.count, SPREAD_VALUES_MOST);
	for (size_t i = 0; i < SPREAD_VALUES_MOST; i++) {
		ck_assert_uint_eq(values[i].ns, UNITS - 1 - i);
		ck_assert_uint_eq(values[i].at.process * 500 % UNITS, values[i].ns);
	}
	free(values);
	end();
}
END_TEST

/* Without any self time the total times decide. */
START_TEST(total_times_are_kept_by_themselves)
{
	struct spread_value *values;

	for (size_t i = 0; i < 2 * SPREAD_VALUES_MOST; i++)
		add(i, 0, i);
	values = spread_pairs_values(&pairs, &units, true);
	ck_assert_uint_eq(values[0].ns, 2 * SPREAD_VALUES_MOST - 1);
	ck_assert_uint_eq(values[SPREAD_VALUES_MOST - 1].ns, SPREAD_VALUES_MOST);
	free(values);
	end();
}
END_TEST

/* Of equal ones those of the first processes, whatever the order in which they come. */
START_TEST(equal_times_are_kept_in_one_order)
{
	struct spread_value *values;
	size_t sum = 0;

	for (size_t i = 2 * SPREAD_VALUES_MOST; i-- > 0;)
		add(i, 1, 1);
	values = spread_pairs_values(&pairs, &units, false);
	for (size_t i = 0; i < SPREAD_VALUES_MOST; i++)
		sum += values[i].at.process;
	ck_assert_uint_eq(sum, (size_t)SPREAD_VALUES_MOST * (SPREAD_VALUES_MOST - 1) / 2);
	free(values);
	end();
}
END_TEST

START_TEST(nothing_has_no_values)
{
	struct spread_value *values = spread_pairs_values(&pairs, &units, false);

	free(values);
	end();
}
END_TEST

UNIT_MAIN("spread values", few_are_all_there, of_many_the_largest_are_kept,
	  total_times_are_kept_by_themselves, equal_times_are_kept_in_one_order,
	  nothing_has_no_values)
