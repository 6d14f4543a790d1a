/* SPDX-License-Identifier: MIT */
#include "blame.h"

#include "callpath.h"
#include "objects.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>
#include <stdlib.h>

static struct thread thread;
static struct object *lock, *condition;
static char places[3];

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	object_reset();
	hashed_prepare(&thread.blame, TABLE_blame, sizeof(struct row_blame), 1, 16, 4096);
	lock = object_find(&places[0], OBJECT_MUTEX, (uint64_t)prepare);
	condition = object_find(&places[1], OBJECT_CONDITION, (uint64_t)prepare);
}

static struct open_wait wait_for(struct object *object, enum cause cause, uint64_t start_ns)
{
	return (struct open_wait){
		.start_ns = start_ns,
		.object = object,
		.mutex = &places[0],
		.cause = (uint8_t)cause,
		.operation = OP_MUTEX_LOCK,
	};
}

static uint64_t total(void)
{
	return scratch_sum(TABLE_blame, 0, offsetof(struct row_blame, time_ns));
}

struct charged {
	uint32_t path;
	uint64_t ns;
};

static void add_path(const struct format_block *block, void *context)
{
	struct charged *charged = context;
	const struct row_blame *rows = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_blame && i < block->capacity; i++)
		if (rows[i].callpath == charged->path)
			charged->ns += rows[i].time_ns;
}

static uint64_t charged_to(uint32_t path)
{
	struct charged charged = {.path = path};

	scratch_walk(add_path, &charged);
	return charged.ns;
}

START_TEST(each_holder_is_charged_since_the_one_before)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1000);
	object_publish(lock, 900, 1001);
	object_publish(lock, 1300, 1002);
	object_publish(lock, 1700, 1003);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1001), 0);
	ck_assert_uint_eq(charged_to(1002), 300);
	ck_assert_uint_eq(charged_to(1003), 700); /* the hand-over too */
}
END_TEST

START_TEST(after_a_time_out_the_rest_is_still_held)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1000);
	object_publish(lock, 1300, 1002);
	blame_holders(&thread, &wait, 2000, true);
	ck_assert_uint_eq(charged_to(1002), 300);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_STILL_HELD)), 700);
}
END_TEST

START_TEST(without_word_of_a_release_nobody_is_blamed)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1000);
	blame_holders(&thread, &wait, 2000, false);
	wait.object = NULL;
	blame_latest(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 2000);
}
END_TEST

START_TEST(first_and_latest_release)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_BARRIER, 1000);
	object_publish(lock, 1300, 1002);
	object_publish(lock, 1700, 1003);
	blame_first(&thread, &wait, 2000);
	ck_assert_uint_eq(charged_to(1002), 1000);
	blame_latest(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1003), 1000);
}
END_TEST

START_TEST(a_held_mutex_is_split_off_the_signallers_part)
{
	bool is_signalled = false;

	prepare();
	struct open_wait wait = wait_for(condition, CAUSE_CONDITION, 1000);
	object_publish(condition, 1400, 1002);
	object_publish(lock, 1900, 1003);
	ck_assert_uint_eq(blame_signaller(&thread, &wait, 2000, false, &is_signalled), 500);
	ck_assert(is_signalled);
	ck_assert_uint_eq(charged_to(1002), 500);
	ck_assert_uint_eq(charged_to(1003), 500);
}
END_TEST

START_TEST(a_wait_without_a_signal_is_spurious)
{
	bool is_signalled = true;

	prepare();
	struct open_wait wait = wait_for(condition, CAUSE_CONDITION, 1000);
	object_publish(lock, 1900, 1003);
	ck_assert_uint_eq(blame_signaller(&thread, &wait, 2000, false, &is_signalled), 0);
	ck_assert(!is_signalled);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 1000);
}
END_TEST

/* Random releases, some before, some after the wait, some at the same instant. */
static void publish_some(uint64_t from_ns)
{
	for (int i = rand() % 14; i > 0; i--)
		object_publish(rand() % 2 ? lock : condition,
			       from_ns + (uint64_t)(rand() % 60) * 10, 1 + (uint32_t)rand() % 50);
}

START_TEST(every_function_charges_exactly_the_wait)
{
	uint64_t expected = 0;
	bool is_signalled;

	prepare();
	srand(7);
	for (uint64_t round = 1; round < 20000; round++) {
		uint64_t start_ns = round * 1000 + (uint64_t)(rand() % 30) * 10;
		uint64_t end_ns = start_ns + (uint64_t)(rand() % 40) * 10;
		struct open_wait wait = wait_for(
			rand() % 8 ? (rand() % 2 ? lock : condition) : NULL, CAUSE_MUTEX, start_ns);
		bool timed_out = rand() % 4 == 0;
		publish_some(round * 1000);
		if (round % 4 == 0)
			blame_holders(&thread, &wait, end_ns, timed_out);
		else if (round % 4 == 1)
			blame_latest(&thread, &wait, end_ns, timed_out);
		else if (round % 4 == 2)
			blame_first(&thread, &wait, end_ns);
		else
			ck_assert_uint_le(
				blame_signaller(&thread, &wait, end_ns, timed_out, &is_signalled),
				end_ns - start_ns);
		expected += end_ns - start_ns;
		if (round % 500 == 0)
			ck_assert_uint_eq(total(), expected);
	}
	ck_assert_uint_eq(total(), expected);
}
END_TEST

START_TEST(a_full_table_still_charges_everything)
{
	prepare();
	hashed_prepare(&thread.blame, TABLE_blame, sizeof(struct row_blame), 1, 16, 64);
	for (uint32_t path = 10; path < 3010; path++)
		blame_charge(&thread, path, lock->row, CAUSE_MUTEX, OP_MUTEX_LOCK, 5);
	ck_assert_uint_eq(total(), 15000);
	ck_assert_uint_gt(charged_to(callpath_mark(MARK_OTHER)), 10000);
}
END_TEST

UNIT_MAIN("blame", each_holder_is_charged_since_the_one_before,
	  after_a_time_out_the_rest_is_still_held, without_word_of_a_release_nobody_is_blamed,
	  first_and_latest_release, a_held_mutex_is_split_off_the_signallers_part,
	  a_wait_without_a_signal_is_spurious, every_function_charges_exactly_the_wait,
	  a_full_table_still_charges_everything)
