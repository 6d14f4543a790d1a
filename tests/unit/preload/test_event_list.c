/* SPDX-License-Identifier: MIT */
#include "preload/counters/event_list.h"

#include "scratch.h"
#include "tests/unit/unit.h"

#include <string.h>

START_TEST(an_entry_has_nine_fields)
{
	char text[] = "3 4 1c0 ff 10 31 100000 count skl::INST_RETIRED:u=1 with blanks";

	event_list_read(text, NULL);
	memset(text, 'x', sizeof text - 1); /* programs write over their environment */
	ck_assert_uint_eq(event_list_count(), 1);
	const struct event_wish *event = event_list_at(0);
	ck_assert_uint_eq(event->group, 3);
	ck_assert_uint_eq(event->type, 4);
	ck_assert_uint_eq(event->config, 0x1c0);
	ck_assert_uint_eq(event->config1, 0xff);
	ck_assert_uint_eq(event->config2, 0x10);
	ck_assert_uint_eq(event->flags, EVENT_WISH_NO_KERNEL | EVENT_WISH_PRECISE);
	ck_assert_uint_eq(event->period, 100000);
	ck_assert_str_eq(event->unit, "count");
	ck_assert_str_eq(event->name, "skl::INST_RETIRED:u=1 with blanks");
}
END_TEST

START_TEST(what_is_no_entry_is_left_out)
{
	event_list_read(
		";;1 1 2;1 1 2 0 0 0 0 count;1 1 g 0 0 0 0 count bad;1 1 2 0 0 0 a count "
		"bad;1 1 2 0 0 0 0 count ;1  1 2 0 0 0 0 count bad;2 1 2 0 0 0 0 count good;"
		"11111111111111111 1 2 0 0 0 0 count bad",
		NULL);
	ck_assert_uint_eq(event_list_count(), 1);
	ck_assert_str_eq(event_list_at(0)->name, "good");
	event_list_read(NULL, NULL);
	ck_assert_uint_eq(event_list_count(), 0);
	event_list_read("", "");
	ck_assert_uint_eq(event_list_count(), 0);
}
END_TEST

START_TEST(there_are_at_most_so_many)
{
	char text[EVENTS_MOST * 64] = "";

	for (int i = 0; i < EVENTS_MOST + 3; i++)
		strcat(text, "1 1 2 0 0 0 0 count a;");
	event_list_read(text, NULL);
	ck_assert_uint_eq(event_list_count(), EVENTS_MOST);
}
END_TEST

static unsigned metrics, events;

static void count_rows(const struct format_block *block, void *unused)
{
	(void)unused;
	if (block->table == TABLE_metrics)
		for (uint32_t i = 0; i < block->rows; i++)
			metrics +=
				((const struct row_metrics *)store_rows((void *)block))[i].name !=
				0;
	if (block->table == TABLE_events)
		for (uint32_t i = 0; i < block->rows; i++)
			events +=
				((const struct row_events *)store_rows((void *)block))[i].name != 0;
}

START_TEST(each_has_a_row_in_a_new_profile)
{
	event_list_read(
		"1 1 2 0 0 1 0 count a;2 0 1 0 0 2 7 ns b",
		"IPC||a / b|@1 @2 /;bad|only|three;x|1/s|a|@1|more;rate|1/s|a / cpu_seconds|@1 "
		"cpu_seconds /");
	ck_assert(!scratch_open());
	event_list_write();
	ck_assert_uint_eq(event_list_at(0)->number, 1);
	ck_assert_uint_eq(event_list_at(1)->number, 2);
	const struct row_events *row = event_list_row(1);
	ck_assert_uint_eq(row->period, 7);
	ck_assert_uint_eq(row->group, 2);
	ck_assert_uint_eq(row->config, 1);
	ck_assert_uint_eq(row->flags, EVENT_WITHOUT_USER);
	ck_assert_uint_eq(event_list_row(0)->flags, EVENT_WITHOUT_KERNEL);
	scratch_walk(count_rows, NULL);
	ck_assert_uint_eq(events, 2);
	ck_assert_uint_eq(metrics, 2); /* the one of three parts, and that of five, are none */
}
END_TEST

UNIT_MAIN("event_list", an_entry_has_nine_fields, what_is_no_entry_is_left_out,
	  there_are_at_most_so_many, each_has_a_row_in_a_new_profile)
