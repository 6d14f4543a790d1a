/* SPDX-License-Identifier: MIT */
#include "common/proc_file.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(a_file_is_read_as_far_as_there_is_room)
{
	char text[64], little[4];

	ck_assert_uint_gt(proc_file_read(text, sizeof text, "/proc/%d/comm", (int)getpid()), 3);
	ck_assert_uint_eq(proc_file_read(little, sizeof little, "/proc/self/%s", "comm"), 3);
	ck_assert_int_eq(strncmp(little, text, 3), 0);
	ck_assert_uint_eq(proc_file_read(text, sizeof text, "/proc/self/no/file"), 0);
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(a_field_is_found_at_the_begin_of_a_line)
{
	const char *text = "Name:\tState: x\nState:\t S (sleeping)\nThreads:\t2\nEmpty:";

	ck_assert_ptr_eq(proc_file_field(text, "State"), strstr(text, "S (sl"));
	ck_assert_str_eq(proc_file_field(text, "Threads"), "2\nEmpty:");
	ck_assert_str_eq(proc_file_field(text, "Empty"), "");
	ck_assert_ptr_null(proc_file_field(text, "Thread"));
	ck_assert_ptr_null(proc_file_field("", "State"));
}
END_TEST

START_TEST(a_field_is_found_behind_a_line_of_any_length)
{
	char path[] = "/tmp/test_proc_file.XXXXXX", value[8];
	FILE *file = fdopen(mkstemp(path), "w");

	fprintf(file, "Groups:\t%0*d\nThreads:\t17\n", 700000, 4);
	fclose(file);
	ck_assert(proc_file_value(value, sizeof value, "Threads", "%s", path));
	ck_assert_str_eq(value, "17");
	ck_assert(proc_file_value(value, sizeof value, "Groups", "%s", path));
	ck_assert_str_eq(value, "0000000");
	ck_assert(!proc_file_value(value, sizeof value, "Thread", "%s", path));
	ck_assert_str_eq(value, "");
	unlink(path);
	ck_assert(!proc_file_value(value, sizeof value, "Threads", "%s", path));
}
END_TEST

UNIT_MAIN("proc_file", a_file_is_read_as_far_as_there_is_room,
	  a_field_is_found_at_the_begin_of_a_line, a_field_is_found_behind_a_line_of_any_length)
