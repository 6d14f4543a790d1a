/* SPDX-License-Identifier: MIT */

#include "common/command_line.h"
#include "tests/unit/unit.h"

#include <getopt.h>
#include <string.h>

struct values {
	const char *text;
	unsigned number, choice;
	size_t length;
	bool flag;
};

static void take_length(void *length, const char *argument)
{
	*(size_t *)length = strlen(argument);
}

static const char *const colours[] = {"red", "green", NULL};

static const struct command_option options[] = {
	{"text", 't', "TEXT", "", offsetof(struct values, text), .take = NULL},
	{"number", 0, "N", "", offsetof(struct values, number), .least = 2, .most = 5},
	{"colour", 0, "COLOUR", "", offsetof(struct values, choice), .choices = colours},
	{"flag", 0, NULL, "", offsetof(struct values, flag), .take = NULL},
	{"length", 'l', "TEXT", "", offsetof(struct values, length), .take = take_length},
	{"list", 0, "[PATTERN]", "", offsetof(struct values, text), .take = NULL},
	OPTIONS_OF_ALL,
};

static struct values take_all(bool stops_at_words, int count, char **words)
{
	const struct command_line line = {.program = "test",
					  .options = options,
					  .count = sizeof options / sizeof *options,
					  .stops_at_words = stops_at_words};
	struct values values = {0};

	optind = 0; /* getopt_long begins anew */
	while (command_line_take(&line, count, words, &values))
		;
	return values;
}

START_TEST(each_kind_fills_its_field)
{
	char *words[] = {"test",  "-tx",    "--number=5", "word", "--colour",
			 "green", "--flag", "-l",         "four"};
	struct values values = take_all(false, 9, words);

	ck_assert_str_eq(values.text, "x");
	ck_assert_uint_eq(values.number, 5);
	ck_assert_uint_eq(values.choice, 1);
	ck_assert(values.flag);
	ck_assert_uint_eq(values.length, 4);
	ck_assert_int_eq(optind, 8);
	ck_assert_str_eq(words[optind], "word");
}
END_TEST

START_TEST(abbreviations_are_options)
{
	char *words[] = {"test", "--num", "2", "--te=y"};
	struct values values = take_all(false, 4, words);

	ck_assert_uint_eq(values.number, 2);
	ck_assert_str_eq(values.text, "y");
}
END_TEST

START_TEST(what_stands_behind_a_word_may_be_left_alone)
{
	char *words[] = {"test", "--flag", "word", "--number", "3"};
	struct values values = take_all(true, 5, words);

	ck_assert(values.flag);
	ck_assert_uint_eq(values.number, 0);
	ck_assert_int_eq(optind, 2);
}
END_TEST

START_TEST(an_argument_in_brackets_may_be_left_out)
{
	char *with[] = {"test", "--list=x"}, *without[] = {"test", "--list", "word"};

	ck_assert_str_eq(take_all(true, 2, with).text, "x");
	ck_assert_ptr_null(take_all(true, 3, without).text);
	ck_assert_int_eq(optind, 2);
}
END_TEST

UNIT_MAIN("command_line", each_kind_fills_its_field, abbreviations_are_options,
	  what_stands_behind_a_word_may_be_left_alone, an_argument_in_brackets_may_be_left_out)
