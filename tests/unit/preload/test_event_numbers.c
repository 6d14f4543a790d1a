/* SPDX-License-Identifier: MIT */
#include "preload/counters/event_numbers.h"

#include "preload/base/descriptors.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <unistd.h>

static int keep_one(void)
{
	struct descriptor file;

	ck_assert_int_eq(descriptors_open(&file, "/dev/null", O_RDONLY | O_CLOEXEC), 0);
	return event_numbers_keep(&file);
}

static bool is_open(int number)
{
	return fcntl(number, F_GETFD) >= 0;
}

static void set_limit(unsigned limit)
{
	struct rlimit limits = {.rlim_cur = limit, .rlim_max = limit};

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limits), 0);
}

START_TEST(a_number_is_ours_until_it_is_closed)
{
	int lowest_free = dup(0);

	close(lowest_free);
	int number = keep_one();
	ck_assert_int_ge(number, 256);
	ck_assert_int_eq(dup(0), lowest_free); /* what the program's next open gets */
	ck_assert(event_numbers_have(number) && is_open(number));
	ck_assert(!event_numbers_have(number + 1) && !event_numbers_have(-1) &&
		  !event_numbers_have(INT_MAX));
	ck_assert_int_eq(event_numbers_next(0, UINT_MAX), number);
	ck_assert_int_eq(event_numbers_next((unsigned)number + 1, UINT_MAX), -1);
	ck_assert_int_eq(event_numbers_next(0, (unsigned)number - 1), -1);
	event_numbers_close(number);
	ck_assert(!event_numbers_have(number) && !is_open(number));
}
END_TEST

START_TEST(a_number_that_was_taken_is_not_closed)
{
	int number = keep_one();

	ck_assert(event_numbers_begin_read(number));
	event_numbers_end_read();
	event_numbers_yield(number);
	ck_assert_int_eq(dup2(0, number), number);
	ck_assert(!event_numbers_begin_read(number));
	event_numbers_close(number);
	ck_assert(is_open(number));
}
END_TEST

START_TEST(a_quarter_of_the_limit_is_ours)
{
	int number = 0, kept = 0;

	set_limit(80);
	while (kept < 80 && (number = keep_one()) >= 0) {
		ck_assert_int_ge(number, 60);
		kept++;
	}
	ck_assert_int_eq(number, -EMFILE);
	ck_assert_int_eq(kept, 20);
	ck_assert(is_open(dup(0)));
	event_numbers_close(event_numbers_next(0, UINT_MAX));
	ck_assert_int_ge(keep_one(), 60);
}
END_TEST

START_TEST(a_child_forgets_all)
{
	int one = keep_one(), other = keep_one();

	event_numbers_forget();
	ck_assert(!is_open(one) && !is_open(other) && !event_numbers_are_used);
	ck_assert(!event_numbers_have(one));
	ck_assert_int_ge(keep_one(), 256);
}
END_TEST

UNIT_MAIN("event_numbers", a_number_is_ours_until_it_is_closed,
	  a_number_that_was_taken_is_not_closed, a_quarter_of_the_limit_is_ours,
	  a_child_forgets_all)
