/* SPDX-License-Identifier: MIT */
#include "analyze/print/json.h"
#include "tests/unit/unit.h"

#include <math.h>

static void expect_json(struct json_object *object, const char *wanted)
{
	ck_assert_str_eq(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN), wanted);
	json_object_put(object);
}

START_TEST(seconds_are_exact_to_the_nanosecond)
{
	expect_json(json_seconds(0), "0.0");
	expect_json(json_seconds(1), "0.000000001");
	expect_json(json_seconds(1500000000), "1.5");
	expect_json(json_seconds(UINT64_MAX), "18446744073.709551615");
}
END_TEST

START_TEST(the_unknown_is_null)
{
	ck_assert_ptr_null(json_number(NAN));
	ck_assert_ptr_null(json_number(-INFINITY));
	ck_assert_ptr_null(json_text(NULL));
}
END_TEST

START_TEST(numbers_are_fractions_without_idle_zeros)
{
	expect_json(json_number(48), "48.0");
	expect_json(json_number(0.1), "0.1");
	expect_json(json_number(1e18), "1000000000000000000.0");

	struct json_object *largest = json_number(1.7e308);

	ck_assert_double_eq(json_object_get_double(largest), 1.7e308);
	json_object_put(largest);
}
END_TEST

START_TEST(counts_are_integers)
{
	expect_json(json_count(0), "0");
	expect_json(json_count(UINT64_MAX), "18446744073709551615");
}
END_TEST

START_TEST(texts_are_valid_whatever_they_hold)
{
	expect_json(json_text("grün \"x\"\n"), "\"grün \\\"x\\\"\\n\"");
	expect_json(json_text("a\xff\xc3"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
	expect_json(json_text("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	expect_json(json_text("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
}
END_TEST

UNIT_MAIN("json", seconds_are_exact_to_the_nanosecond, the_unknown_is_null,
	  numbers_are_fractions_without_idle_zeros, counts_are_integers,
	  texts_are_valid_whatever_they_hold)
