/* SPDX-License-Identifier: MIT */
/* Which processors a row says a thread had. */
#include "preload/thread/thread_processors.h"

#include "preload/file/schema.h"
#include "tests/unit/unit.h"

static const struct processor_set every = {8, 1}, one = {1, 3}, other = {1, 5};

static struct thread_processors known;
static struct row_threads row;

static void begin(void)
{
	row = (struct row_threads){0};
	thread_processors_begin(&known, &row);
}

static void be_ready(struct processor_set now, uint64_t ns)
{
	row.ready_ns += ns;
	thread_processors_note(&known, &row, now);
}

static void expect_set(struct processor_set set)
{
	ck_assert_uint_eq(row.processors, set.count);
	ck_assert_uint_eq(row.processor_first, set.first);
}

START_TEST(who_is_freed_at_its_end_was_bound)
{
	begin();
	be_ready(one, 100);
	expect_set(one);
	be_ready(one, 200);
	be_ready(every, 10);
	expect_set(one);
	be_ready(every, 0);
	expect_set(one);
}
END_TEST

START_TEST(who_is_bound_at_its_end_was_free)
{
	begin();
	be_ready(every, 300);
	be_ready(one, 10);
	expect_set(every);
}
END_TEST

/* Also who was never ready. */
START_TEST(without_most_of_it_the_most_counts)
{
	begin();
	be_ready(one, 0);
	expect_set(one);
	be_ready(every, 0);
	be_ready(one, 0);
	expect_set(every);
	for (int i = 0; i < 10; i++) {
		be_ready(every, 30);
		be_ready(one, 30);
		be_ready(other, 30);
	}
	expect_set(every);
}
END_TEST

START_TEST(lives_of_a_row_add_up)
{
	begin();
	be_ready(one, 300);
	thread_processors_begin(&known, &row);
	expect_set(one);
	be_ready(every, 50);
	expect_set(one);
	be_ready(every, 1000);
	expect_set(every);
}
END_TEST

UNIT_MAIN("thread_processors", who_is_freed_at_its_end_was_bound, who_is_bound_at_its_end_was_free,
	  without_most_of_it_the_most_counts, lives_of_a_row_add_up)
