/* SPDX-License-Identifier: MIT */
#include "analyze/model/counters/counter_steps.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t event_of[] = {0, 2, 1, 0};
static const double events[] = {NAN, 10, 20};

/* @1 is event 2, which is 20; @2 is event 1, which is 10; @3 is none. */
static double value_of(const char *text)
{
	const struct counter_operands operands = {events, 3, 4, NAN};
	struct counter_steps steps = counter_steps_parse(text, event_of, 4);
	double value = counter_steps_value(&steps, &operands);

	counter_steps_clear(&steps);
	return value;
}

START_TEST(formulas_have_values)
{
	ck_assert_double_eq(value_of("@1"), 20);
	ck_assert_double_eq(value_of("@1 @2 /"), 2);
	ck_assert_double_eq(value_of("@2 @1 -"), -10);
	ck_assert_double_eq(value_of("@1 cpu_seconds /"), 5);
	ck_assert_double_eq(value_of("@1 64 * 1e6 /"), 20 * 64 / 1e6);
	ck_assert_double_eq(value_of("1 2 3 + *"), 5);
}
END_TEST

START_TEST(what_is_not_known_has_none)
{
	ck_assert(isnan(value_of("@1 elapsed_seconds /")));
	ck_assert(isnan(value_of("@1 0 /")));
	ck_assert(isnan(value_of("@1 @2 @2 - /")));
}
END_TEST

START_TEST(other_texts_are_no_formulas)
{
	static const char *const texts[] = {
		"",     " ", "@",   "@3", "@4",    "@0",  "@1x",         "@-1",
		"@1 +", "+", "1 2", "x",  "1e999", "nan", "@1 @2 / / 1", "cpu_secondsx"};
	char deep[4 * COUNTER_STACK_MAX] = "";

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct counter_steps steps = counter_steps_parse(texts[i], event_of, 4);

		ck_assert_msg(!steps.count, "\"%s\" is a formula", texts[i]);
		ck_assert(isnan(value_of(texts[i])));
	}
	for (size_t i = 0; i <= COUNTER_STACK_MAX; i++)
		strcat(deep, "1 ");
	ck_assert(isnan(value_of(deep)));
}
END_TEST

START_TEST(texts_and_steps_are_the_same)
{
	static const size_t same[] = {0, 1, 2};
	static const char *const text = "@1 64 * cpu_seconds / elapsed_seconds @2 - +";
	struct counter_steps steps = counter_steps_parse(text, same, 3);
	char *again = counter_steps_text(&steps);

	ck_assert_str_eq(again, text);
	free(again);
	counter_steps_clear(&steps);
}
END_TEST

UNIT_MAIN("formulas of counters", formulas_have_values, what_is_not_known_has_none,
	  other_texts_are_no_formulas, texts_and_steps_are_the_same)
