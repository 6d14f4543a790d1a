/* SPDX-License-Identifier: MIT */
#include "common/stat_line.h"
#include "preload/base/text.h"
#include "tests/unit/unit.h"

START_TEST(texts_and_numbers_are_appended)
{
	char bytes[40];
	struct text text = TEXT(bytes);

	ck_assert(text_add(&text, "host-"));
	ck_assert(text_add_number(&text, 0));
	ck_assert(text_add(&text, "-"));
	ck_assert(text_add_number(&text, UINT64_MAX));
	ck_assert_str_eq(bytes, "host-0-18446744073709551615");
}
END_TEST

START_TEST(what_does_not_fit_is_cut_and_said)
{
	char bytes[6] = "xxxxx";
	struct text text = TEXT(bytes);

	ck_assert(text_add(&text, "12345"));
	text.length = 3;
	ck_assert(!text_add(&text, "abc"));
	ck_assert_str_eq(bytes, "123ab");
	ck_assert(!text_add(&text, "d"));
	ck_assert(text_add(&text, ""));
}
END_TEST

START_TEST(numbers_are_read_one_after_the_other)
{
	const char *cursor = "  12\t7 x";

	ck_assert_uint_eq(text_read_number(&cursor), 12);
	ck_assert_uint_eq(text_read_number(&cursor), 7);
	ck_assert_uint_eq(text_read_number(&cursor), 0);
	ck_assert_str_eq(cursor, "x");
}
END_TEST

START_TEST(fields_of_stat_are_found_behind_any_name)
{
	const char *line = "12 (a) 9 (b) S 7 8 1\n";
	const char *at = stat_line_field(line, STAT_PARENT);

	ck_assert_ptr_nonnull(at);
	ck_assert_uint_eq(text_read_number(&at), 7);
	ck_assert_ptr_null(stat_line_field(line, STAT_MINOR_FAULTS));
	ck_assert_ptr_null(stat_line_field("", STAT_PARENT));
}
END_TEST

UNIT_MAIN("text", texts_and_numbers_are_appended, what_does_not_fit_is_cut_and_said,
	  numbers_are_read_one_after_the_other, fields_of_stat_are_found_behind_any_name)
