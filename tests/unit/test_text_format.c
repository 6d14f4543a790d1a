/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "tests/unit/unit.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_text(char *text, const char *wanted)
{
	ck_assert_str_eq(text, wanted);
	free(text);
}

START_TEST(times_have_three_digits_and_a_unit)
{
	expect_text(text_seconds(0), "0 s");
	expect_text(text_seconds(12), "12 ns");
	expect_text(text_seconds(1234), "1.23 us");
	expect_text(text_seconds(45.6e6), "45.6 ms");
	expect_text(text_seconds(999.7e6), "1.00 s");
	expect_text(text_seconds(1234.5e9), "20.6 min");
	expect_text(text_seconds(NAN), "?");
}
END_TEST

START_TEST(percentages_and_numbers)
{
	expect_text(text_percent(48.4), "48 %");
	expect_text(text_percent(4.84), "4.8 %");
	expect_text(text_percent(0), "0 %");
	expect_text(text_percent(INFINITY), "?");
	expect_text(text_number(1.434), "1.43");
	expect_text(text_number(NAN), "?");
}
END_TEST

START_TEST(grades_are_marked)
{
	expect_text(text_graded(memory_copy_text("1 s"), GRADE_EXACT, true), "1 s");
	expect_text(text_graded(memory_copy_text("1 s"), GRADE_SAMPLED, true), "±1 s");
	expect_text(text_graded(memory_copy_text("1 s"), GRADE_SAMPLED, false), "+-1 s");
	expect_text(text_graded(memory_copy_text("1 s"), GRADE_ESTIMATED, true), "~1 s");
	expect_text(text_graded(memory_copy_text("?"), GRADE_ESTIMATED, true), "?");
}
END_TEST

START_TEST(bars_are_as_long_as_their_share)
{
	expect_text(text_bar(0.5, 10, false), "#####");
	expect_text(text_bar(0.5, 5, true), "██▌");
	expect_text(text_bar(7, 3, false), "###");
	expect_text(text_bar(NAN, 3, true), "");
}
END_TEST

START_TEST(bars_side_by_side_are_as_tall_as_their_values)
{
	static const double values[] = {0, 0.001, 1, 2, 9, NAN};

	expect_text(text_bars(values, 6, 2, true), " ▁▄██ ");
	expect_text(text_bars(values, 6, 2, false), " .=## ");
	expect_text(text_bars(values, 2, 0, true), "  ");
	expect_text(text_bars(values, 0, 2, true), "");
}
END_TEST

START_TEST(texts_are_cut_by_characters)
{
	expect_text(text_fit("abcdef", 6, true), "abcdef");
	expect_text(text_fit("abcdef", 5, true), "abcd…");
	expect_text(text_fit("abcdef", 5, false), "ab...");
	expect_text(text_fit("äöüä", 4, true), "äöüä");
	expect_text(text_fit("libthis.so.1+0x12ab", 19, true), "libthis.so.1+0x12ab");
	expect_text(text_fit("libthis.so.1+0x12ab", 15, true), "libthis…+0x12ab");
	expect_text(text_fit("libthis.so.1+0x12ab", 9, true), "libthis.…");
	expect_text(text_fit("lowlevellock.c:65", 12, true), "lowlevel…:65");
	expect_text(text_fit("work (names.cc:123)", 14, true), "work (na…:123)");
	expect_text(text_fit("abcdef:65", 7, true), "abcdef…");
	expect_text(text_fit("/srv/jobs/today/app.run", 15, true), "/srv/j…/app.run");
	expect_text(text_fit("/srv/jobs/a-long-name.ptrace.12", 12, true), "/srv…race.12");
	expect_text(text_fit("/srv/jobs/öäü.run", 13, true), "/srv…/öäü.run");
	expect_text(text_fit("/usr/bin/sort -n /tmp/numbers", 14, true), "/usr/bin/sort…");
	expect_text(text_fit("path operator/(path)", 12, true), "path operat…");
	expect_text(text_fit("/srv/jobs", 4, true), "/sr…");
	expect_text(text_fit("äöüä", 3, true), "äö…");
	expect_text(text_fit("abc", 0, true), "");
	expect_text(text_fit("abcdef", 2, false), "..");
}
END_TEST

/* As a terminal does; in a locale that knows no characters, each counts as one. */
START_TEST(wide_characters_take_two_columns)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		printf("not tested: there is no locale C.UTF-8\n");
		return;
	}
	ck_assert_uint_eq(text_columns("作業"), 4);
	ck_assert_uint_eq(text_columns("🚀"), 2);
	ck_assert_uint_eq(text_columns("e\xcc\x81t\xcc\xa8"), 2); /* marks above and below */
	ck_assert_uint_eq(text_columns("\xff\xfe"), 2);
	expect_text(text_fit("作業者", 6, true), "作業者");
	expect_text(text_fit("作業者", 5, true), "作業…");
	expect_text(text_fit("作業者", 4, true), "作…"); /* the next one has no room */
	expect_text(text_fit("e\xcc\x81t\xcc\xa8", 2, true), "e\xcc\x81t\xcc\xa8");
	setlocale(LC_CTYPE, "C");
	expect_text(text_fit("作業者", 3, false), "???");
}
END_TEST

START_TEST(template_arguments_can_be_left_out)
{
	expect_text(text_without_templates("std::vector<a<b>, c>::push_back(int)"),
		    "std::vector<..>::push_back(int)");
	expect_text(text_without_templates("operator<(x<y>)"), "operator<(x<..>)");
	expect_text(text_without_templates("a::operator->"), "a::operator->");
	expect_text(text_without_templates("main"), "main");
	expect_text(text_without_templates("broken<"), "broken<..");
	expect_text(text_without_templates("<>"), "<..>");
}
END_TEST

START_TEST(terminals_are_safe_from_names)
{
	expect_text(text_fit("a\033[2Jb\n", 99, true), "a?[2Jb?");
	expect_text(text_fit("grün", 99, false), "gr?n");
}
END_TEST

/* Sources and names may hold anything. */
START_TEST(nothing_reaches_a_terminal_that_moves_it)
{
	expect_text(text_fit("a\xc2\x9b[31mb", 80, true), "a?[31mb");
	expect_text(text_fit("a\x9b[31mb\xff\xfe", 80, true), "a?[31mb??");
	expect_text(text_fit("\xe2\x80\xaex\xe2\x80\xa8y\xe2\x81\xa6", 80, true), "?x?y?");
	expect_text(text_fit("\xed\xa0\x80z", 80, true), "???z");
	expect_text(text_fit("\xc3\xa4\xe2\x82\xac", 80, true), "\xc3\xa4\xe2\x82\xac");
	expect_text(text_fit("\xc3\xa4\xe2\x82\xac", 80, false), "??");
}
END_TEST

UNIT_MAIN("text_format", nothing_reaches_a_terminal_that_moves_it,
	  times_have_three_digits_and_a_unit, percentages_and_numbers, grades_are_marked,
	  bars_are_as_long_as_their_share, bars_side_by_side_are_as_tall_as_their_values,
	  texts_are_cut_by_characters, wide_characters_take_two_columns,
	  template_arguments_can_be_left_out, terminals_are_safe_from_names)
