/* SPDX-License-Identifier: MIT */
#include "scripts/run/asked_events.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

static struct event_list list;

/* "name@period/braces name ..." */
static const char *parsed(const char *text)
{
	static char result[1000];
	char error[300] = "";
	size_t length = 0;

	ck_assert_msg(event_list_parse(text, &list, error, sizeof error), "%s: %s", text, error);
	for (int i = 0; i < list.count; i++)
		length += (size_t)snprintf(result + length, sizeof result - length, "%s%s@%llu/%d",
					   i ? " " : "", list.items[i].name,
					   (unsigned long long)list.items[i].period,
					   list.items[i].braces);
	return result;
}

START_TEST(lists)
{
	ck_assert_str_eq(parsed("cycles"), "cycles@0/0");
	ck_assert_str_eq(parsed(" cycles , ipc,r00c0 "), "cycles@0/0 ipc@0/0 r00c0@0/0");
	ck_assert_str_eq(parsed("cycles:u:precise=2@1000,a"), "cycles:u:precise=2@1000/0 a@0/0");
	ck_assert_str_eq(parsed("{a,b}"), "a@0/1 b@0/1");
	ck_assert_str_eq(parsed("x, { a , b } , {c},y"), "x@0/0 a@0/1 b@0/1 c@0/2 y@0/0");
	ck_assert_str_eq(parsed("./own.events"), "./own.events@0/0");
	ck_assert_str_eq(parsed("a@9223372036854775807"), "a@9223372036854775807/0");
}
END_TEST

START_TEST(wrong_lists)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"", "a name is missing"},
		{",", "a name is missing"},
		{"a,,b", "a name is missing"},
		{"a,", "a name is missing"},
		{"{}", "a name is missing"},
		{"{a", "is not closed"},
		{"{a,b", "is not closed"},
		{"a}", "a '}' without a '{'"},
		{"{a}}", "a comma is missing after a '}'"},
		{"{a}b", "a comma is missing after a '}' before 'b'"},
		{"a{b}", "a comma is missing before a '{'"},
		{"{a,{b}}", "braces within braces"},
		{"{a},", "a name is missing"},
		{"a@", "'a@': the period must be a whole number from 1, as in a@100000"},
		{"a@0", "the period must be"},
		{"a@-1", "the period must be"},
		{"a@1k", "the period must be"},
		{"a@1@2", "the period must be"},
		{"@5", "a name is missing"},
		{"a@9223372036854775808", "the period must be"},
		{"a@99999999999999999999999", "the period must be"},
		{"{a@5}", "write it outside of the braces"},
		{"a;b", "';', '|' or a control character"},
		{"a|b", "';', '|' or a control character"},
		{"a\001", "';', '|' or a control character"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char error[300] = "";

		ck_assert_msg(!event_list_parse(cases[i].text, &list, error, sizeof error),
			      "'%s' was taken", cases[i].text);
		ck_assert_msg(strstr(error, cases[i].said) != NULL, "'%s': %s", cases[i].text,
			      error);
	}
}
END_TEST

START_TEST(long_lists)
{
	char text[2 * EVENT_LIST_TEXT_MAX] = "a", error[300];

	for (int i = 1; i < EVENT_LIST_MAX; i++)
		strcat(text, ",a");
	ck_assert(event_list_parse(text, &list, error, sizeof error));
	ck_assert_int_eq(list.count, EVENT_LIST_MAX);
	strcat(text, ",a");
	ck_assert(!event_list_parse(text, &list, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "more than 64 names"));
	memset(text, 'x', EVENT_LIST_TEXT_MAX);
	text[EVENT_LIST_TEXT_MAX] = '\0';
	ck_assert(!event_list_parse(text, &list, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "longer than"));
}
END_TEST

UNIT_MAIN("event list", lists, wrong_lists, long_lists)
