/* SPDX-License-Identifier: MIT */
/* What programs compile in of ptrace.h, and stays as it is: numbers of causes, places of fields. */
#include "include/ptrace.h"

#include "preload/file/vocabulary.h"
#include "preload/life/own_times.h"
#include "tests/unit/unit.h"

START_TEST(causes_have_the_numbers_of_profiles)
{
#define CHECK_CAUSE(name, class, text) ck_assert_int_eq((int)PTRACE_WAIT_##name, (int)CAUSE_##name);
	CAUSE_LIST(CHECK_CAUSE)
#undef CHECK_CAUSE
	ck_assert_int_eq(PTRACE_WAITS, CAUSE_LIMIT);
}
END_TEST

START_TEST(fields_stay_at_their_places)
{
	ck_assert_uint_eq(offsetof(struct ptrace_times, bytes), 0);
	ck_assert_uint_eq(offsetof(struct ptrace_times, elapsed_ns), 8);
	ck_assert_uint_eq(offsetof(struct ptrace_times, user_ns), 16);
	ck_assert_uint_eq(offsetof(struct ptrace_times, system_ns), 24);
	ck_assert_uint_eq(offsetof(struct ptrace_times, ready_ns), 32);
	ck_assert_uint_eq(offsetof(struct ptrace_times, blocked_ns), 40);
	ck_assert_uint_eq(offsetof(struct ptrace_times, wait_ns), 48);
	ck_assert_uint_eq(offsetof(struct ptrace_times, levels), 304);
	ck_assert_uint_eq(offsetof(struct ptrace_times, level_ns), 312);
	ck_assert_uint_eq(sizeof(struct ptrace_times), 824);
	ck_assert_uint_eq(sizeof(struct own_times), sizeof(struct ptrace_times));
	ck_assert_uint_eq(offsetof(struct own_times, wait_ns),
			  offsetof(struct ptrace_times, wait_ns));
	ck_assert_uint_eq(offsetof(struct own_times, level_ns),
			  offsetof(struct ptrace_times, level_ns));
}
END_TEST

START_TEST(nothing_happens_without_the_tool)
{
	struct ptrace_times times = {.bytes = 7};

	ptrace_begin("a");
	ptrace_mark("b", 1);
	ptrace_phase("c");
	ptrace_name(&times, sizeof times, "d");
	ptrace_end(NULL);
	ck_assert_int_eq(ptrace_times(&times), -1);
	ck_assert_uint_eq(times.bytes, 7);
}
END_TEST

UNIT_MAIN("ptrace.h", causes_have_the_numbers_of_profiles, fields_stay_at_their_places,
	  nothing_happens_without_the_tool)
