/* SPDX-License-Identifier: MIT */
#include "preload/waits/blame.h"

#include "preload/locks/objects.h"
#include "preload/stacks/callpath.h"
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
	row_hash_prepare(&thread.blame, TABLE_blame, sizeof(struct row_blame), 1, 16, 4096);
	lock = object_find(&places[0], OBJECT_MUTEX, (uint64_t)prepare);
	condition = object_find(&places[1], OBJECT_CONDITION, (uint64_t)prepare);
	object_observe(lock);
	object_observe(condition);
}

/* The looks at both ends of a wait. */
static void begin(const struct object *object)
{
	holds_look_first(object_holds(object), &thread.before);
}

static void end(const struct object *object)
{
	holds_look(object_holds(object), &thread.after);
}

static void signal_at(uint64_t time_ns, uint32_t path)
{
	static struct hold_view room;

	object_publish(condition, time_ns, path);
	object_keep_signal(condition, lock, time_ns, &room);
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

static uint64_t total_io(void)
{
	return scratch_sum(TABLE_blame, 0, offsetof(struct row_blame, holder_io_ns));
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
	begin(lock);
	object_publish(lock, 1300, 1002);
	object_publish(lock, 1700, 1003);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1001), 0);
	ck_assert_uint_eq(charged_to(1002), 300);
	ck_assert_uint_eq(charged_to(1003), 700); /* the hand-over too */
}
END_TEST

/* One keeps it for long, then any number of others for an instant each. */
static void queue(uint32_t releases, uint32_t paths)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1000);
	object_publish(lock, 900, 2001);
	begin(lock);
	object_publish(lock, 1000000, 2002);
	for (uint32_t i = 0; i < releases; i++)
		object_publish(lock, 1000000 + (i + 1) * 10, 2003 + i % paths);
	end(lock);
	blame_holders(&thread, &wait, 1000000 + releases * 10, false);
	ck_assert_uint_eq(total(), 1000000 - 1000 + releases * 10);
}

START_TEST(the_culprit_is_charged_whatever_follows)
{
	for (uint32_t releases = 0; releases < 3000; releases += 1 + releases / 3) {
		queue(releases, 1 + releases % 50);
		ck_assert_uint_eq(charged_to(2002), 1000000 - 1000);
		ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 0);
	}
}
END_TEST

START_TEST(more_paths_than_are_told_apart_are_nobodys)
{
	queue(500, 500);
	ck_assert_uint_eq(charged_to(2002), 1000000 - 1000); /* who had it for long stays */
	ck_assert_uint_ge(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 4000);
}
END_TEST

START_TEST(after_a_time_out_the_rest_is_still_held)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1000);
	begin(lock);
	object_publish(lock, 1300, 1002);
	end(lock);
	blame_holders(&thread, &wait, 2000, true);
	ck_assert_uint_eq(charged_to(1002), 300);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_STILL_HELD)), 700);
}
END_TEST

START_TEST(without_word_of_a_release_nobody_is_blamed)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 10000);
	object_publish(lock, 900, 1001); /* long ago */
	begin(lock);
	end(lock);
	blame_holders(&thread, &wait, 11000, false);
	wait.object = NULL;
	blame_holders(&thread, &wait, 11000, false);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 2000);
}
END_TEST

START_TEST(a_barrier_blames_its_own_round)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_BARRIER, 1000);
	begin(lock);
	object_publish(lock, 1300, 1002);
	object_publish(lock, 1700, 1003);
	end(lock);
	blame_first(&thread, &wait, 2000);
	ck_assert_uint_eq(charged_to(1002), 1000);
}
END_TEST

START_TEST(a_wait_that_was_given_up_is_nobodys)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_SEMAPHORE, 1000);
	begin(lock);
	object_publish(lock, 1300, 1002);
	end(lock);
	blame_nobody(&thread, &wait, 2000, true);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_TIMEOUT)), 1000);
	blame_nobody(&thread, &wait, 2500, false);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 1500);
	ck_assert_uint_eq(charged_to(1002), 0);
}
END_TEST

START_TEST(who_came_later_is_not_in_the_way)
{
	struct holds *holds;

	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_RWLOCK, 1000);
	holds = object_holds(lock);
	holds_begin(holds);
	begin(lock);
	for (uint64_t at = 1100; at < 1800; at += 100) {
		holds_take_shared(holds, at);
		holds_release_shared(holds, at + 50, 1001, at, 2, NULL); /* two were there before */
	}
	holds_release_shared(holds, 1800, 1002, 0, 1, NULL);
	holds_release_shared(holds, 1900, 1003, 0, 0, NULL);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1001), 0);
	ck_assert_uint_eq(charged_to(1002), 0);
	ck_assert_uint_eq(charged_to(1003), 1000); /* the last of them to let go */
}
END_TEST

START_TEST(a_held_mutex_is_split_off_the_signallers_part)
{
	uint64_t reacquire_ns = 1;

	prepare();
	struct open_wait wait = wait_for(condition, CAUSE_CONDITION, 1000);
	begin(condition);
	object_publish(lock, 1200, 1004); /* before the signal */
	signal_at(1400, 1002);
	object_publish(lock, 1900, 1003);
	end(condition);
	ck_assert_int_eq(blame_signaller(&thread, &wait, 2000, &reacquire_ns), WAKING_SEEN);
	ck_assert_uint_eq(reacquire_ns, 500);
	ck_assert_uint_eq(charged_to(1002), 500);
	ck_assert_uint_eq(charged_to(1003), 500);
}
END_TEST

START_TEST(a_wait_without_a_signal_is_spurious)
{
	uint64_t reacquire_ns = 1;

	prepare();
	struct open_wait wait = wait_for(condition, CAUSE_CONDITION, 1000);
	begin(condition);
	object_publish(lock, 1900, 1003);
	end(condition);
	ck_assert_int_eq(blame_signaller(&thread, &wait, 2000, &reacquire_ns), WAKING_SPURIOUS);
	ck_assert_uint_eq(reacquire_ns, 0);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 1000);
}
END_TEST

/* Of a thread that signals all the time, some signals are recorded: what woke without a record is
 * charged to the latest one that has. */
START_TEST(an_unseen_signal_is_taken_for_the_latest_seen)
{
	uint64_t reacquire_ns = 1;

	prepare();
	struct open_wait wait = wait_for(condition, CAUSE_CONDITION, 1000);
	signal_at(900, 1002);
	begin(condition);
	wait.object->is_told_seldom = true;
	end(condition);
	ck_assert_int_eq(blame_signaller(&thread, &wait, 2000, &reacquire_ns), WAKING_UNSEEN);
	ck_assert_uint_eq(reacquire_ns, 0);
	ck_assert_uint_eq(charged_to(1002), 1000);
}
END_TEST

START_TEST(input_and_output_of_the_holder_counts_while_others_wait)
{
	const struct hold_io io = {.begin_ns = 1200, .ns = 500, .what = hold_what(77, 5, OP_FSYNC)};

	prepare();
	struct open_wait early = wait_for(lock, CAUSE_MUTEX, 1000);
	object_publish(lock, 900, 1001);
	begin(lock);
	object_publish_held(lock, 2000, 1002, &io);
	end(lock);
	blame_holders(&thread, &early, 2000, false);
	ck_assert_uint_eq(charged_to(1002), 1000);
	ck_assert_uint_eq(total_io(), 500);
}
END_TEST

/* It waited from 1200 on, for 300 ns at least of what followed 1400. */
START_TEST(input_and_output_before_the_wait_is_left_out)
{
	const struct hold_io io = {.begin_ns = 1200, .ns = 500};

	prepare();
	struct open_wait late = wait_for(lock, CAUSE_MUTEX, 1400);
	begin(lock);
	object_publish_held(lock, 2000, 1002, &io);
	end(lock);
	blame_holders(&thread, &late, 2000, false);
	ck_assert_uint_eq(total_io(), 300);
}
END_TEST

START_TEST(input_and_output_before_the_release_before_is_left_out)
{
	const struct hold_io io = {.begin_ns = 1200, .ns = 500};

	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1000);
	begin(lock);
	object_publish(lock, 1600, 1001);
	object_publish_held(lock, 2000, 1002, &io);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(total_io(), 100);
}
END_TEST

/* Of the first release of many only the part is known that lasts longer than the time before. */
START_TEST(of_a_queue_of_waiters_each_knows_the_least)
{
	const struct hold_io io = {.begin_ns = 1100, .ns = 800};
	static struct hold_view look;

	prepare();
	object_publish(lock, 1000, 1001);
	struct open_wait wait = wait_for(lock, CAUSE_MUTEX, 1500);
	begin(lock);
	object_publish_held(lock, 2000, 1002, &io);
	for (uint64_t i = 0; i < 2 * HOLD_FIRST_IOS; i++) {
		holds_look_first(object_holds(lock), &look);
		object_publish(lock, 2010 + i, 1003);
	}
	end(lock);
	blame_holders(&thread, &wait, 2100, false);
	ck_assert_uint_eq(charged_to(1002), 500);
	ck_assert_uint_eq(total_io(), 300);
}
END_TEST

/* ---- releases that turn out to be none ---- */

static struct hold_receipt tried_at(uint64_t time_ns, uint32_t path)
{
	struct hold_receipt receipt;

	object_try_publish(lock, time_ns, path, &receipt);
	return receipt;
}

START_TEST(a_release_that_is_taken_back_is_the_next_ones)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_FUTEX, 1000);
	object_publish(lock, 900, 1001);
	begin(lock);
	for (uint64_t time_ns = 1100; time_ns < 1700; time_ns += 100) {
		struct hold_receipt innocent = tried_at(time_ns, 1002);
		object_withdraw(lock, &innocent);
	}
	object_publish(lock, 1700, 1003);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1002), 0);
	ck_assert_uint_eq(charged_to(1003), 1000);
}
END_TEST

START_TEST(a_release_that_woke_stays)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_FUTEX, 1000);
	begin(lock);
	tried_at(1700, 1002);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1002), 1000);
}
END_TEST

/* The one that wakes was between the begin and the end of a call that does not. */
START_TEST(a_release_is_taken_back_after_another_one)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_FUTEX, 1000);
	object_publish(lock, 900, 1001);
	begin(lock);
	struct hold_receipt innocent = tried_at(1600, 1002);
	object_publish(lock, 1700, 1003);
	object_withdraw(lock, &innocent);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1002), 0);
	ck_assert_uint_eq(charged_to(1003), 1000);
}
END_TEST

/* Nobody released it in this wait: who did before is not to blame. */
START_TEST(a_release_that_is_taken_back_is_none)
{
	prepare();
	struct open_wait wait = wait_for(lock, CAUSE_FUTEX, 10000000);
	object_publish(lock, 900, 1001);
	begin(lock);
	struct hold_receipt innocent = tried_at(10000100, 1002);
	object_withdraw(lock, &innocent);
	end(lock);
	blame_holders(&thread, &wait, 10000400, false);
	ck_assert_uint_eq(charged_to(1001), 0);
	ck_assert_uint_eq(charged_to(1002), 0);
	ck_assert_uint_eq(charged_to(callpath_mark(MARK_UNKNOWN_HOLDER)), 400);
}
END_TEST

/* A wait begins before such a call has returned. */
START_TEST(a_release_from_before_the_wait_is_taken_back)
{
	prepare();
	object_publish(lock, 500, 1001);
	struct hold_receipt innocent = tried_at(900, 1002);
	struct open_wait wait = wait_for(lock, CAUSE_FUTEX, 1000);
	begin(lock);
	object_withdraw(lock, &innocent);
	object_publish(lock, 1700, 1003);
	object_publish(lock, 1800, 1001);
	end(lock);
	blame_holders(&thread, &wait, 2000, false);
	ck_assert_uint_eq(charged_to(1002), 0);
	ck_assert_uint_eq(charged_to(1001) + charged_to(1003), 1000);
	ck_assert_uint_eq(total(), 1000);
}
END_TEST

/* Some woke somebody, some did not; of these one is not known to yet. */
static void try_some(uint64_t at_ns, uint32_t path)
{
	static struct hold_receipt pending;
	struct hold_receipt receipt = tried_at(at_ns, path);

	if (rand() % 3 == 0)
		return;
	if (rand() % 2) {
		struct hold_receipt last = pending;
		pending = receipt;
		receipt = last;
	}
	object_withdraw(lock, &receipt);
}

/* Random releases, some before, some after the wait, some at the same instant. */
static void publish_some(uint64_t from_ns)
{
	for (int i = rand() % 14; i > 0; i--) {
		uint64_t at_ns = from_ns + (uint64_t)(rand() % 60) * 10;
		uint32_t path = 1 + (uint32_t)rand() % 90;
		const struct hold_io io = {
			.begin_ns = at_ns - 150, .ns = (uint64_t)(rand() % 15) * 10, .what = 9};
		if (rand() % 4 == 0)
			try_some(at_ns, path);
		else if (rand() % 3 == 0)
			object_publish_held(lock, at_ns, path, &io);
		else if (rand() % 3)
			object_publish(rand() % 2 ? lock : condition, at_ns, path);
		else
			signal_at(at_ns, path);
	}
}

static void check_io(const struct format_block *block, void *unused)
{
	const struct row_blame *rows = (const void *)(block + 1);

	(void)unused;
	for (uint32_t i = 0; block->table == TABLE_blame && i < block->capacity; i++)
		ck_assert_uint_le(rows[i].holder_io_ns, rows[i].time_ns);
}

START_TEST(every_function_charges_exactly_the_wait)
{
	uint64_t expected = 0;
	uint64_t reacquire_ns = 1;

	prepare();
	srand(7);
	for (uint64_t round = 1; round < 20000; round++) {
		uint64_t start_ns = round * 1000 + (uint64_t)(rand() % 30) * 10;
		uint64_t end_ns = start_ns + (uint64_t)(rand() % 40) * 10;
		struct open_wait wait = wait_for(
			rand() % 8 ? (rand() % 2 ? lock : condition) : NULL, CAUSE_MUTEX, start_ns);
		bool timed_out = rand() % 4 == 0;
		publish_some(round * 1000 - 200);
		begin(wait.object);
		publish_some(round * 1000);
		end(wait.object);
		if (round % 4 == 0)
			blame_holders(&thread, &wait, end_ns, timed_out);
		else if (round % 4 == 1)
			blame_nobody(&thread, &wait, end_ns, timed_out);
		else if (round % 4 == 2)
			blame_first(&thread, &wait, end_ns);
		else
			ck_assert_uint_le((blame_signaller(&thread, &wait, end_ns, &reacquire_ns),
					   reacquire_ns),
					  end_ns - start_ns);
		expected += end_ns - start_ns;
		if (round % 500 == 0)
			ck_assert_uint_eq(total(), expected);
	}
	ck_assert_uint_eq(total(), expected);
	ck_assert_uint_gt(total_io(), 0);
	scratch_walk(check_io, NULL);
}
END_TEST

START_TEST(a_full_table_still_charges_everything)
{
	prepare();
	row_hash_prepare(&thread.blame, TABLE_blame, sizeof(struct row_blame), 1, 16, 64);
	for (uint32_t path = 10; path < 3010; path++)
		blame_charge(&thread, path, lock->row, CAUSE_MUTEX, OP_MUTEX_LOCK, 5);
	ck_assert_uint_eq(total(), 15000);
	ck_assert_uint_gt(charged_to(callpath_mark(MARK_OTHER)), 10000);
}
END_TEST

UNIT_MAIN("blame", each_holder_is_charged_since_the_one_before,
	  the_culprit_is_charged_whatever_follows, more_paths_than_are_told_apart_are_nobodys,
	  after_a_time_out_the_rest_is_still_held, without_word_of_a_release_nobody_is_blamed,
	  a_barrier_blames_its_own_round, a_wait_that_was_given_up_is_nobodys,
	  who_came_later_is_not_in_the_way, a_held_mutex_is_split_off_the_signallers_part,
	  a_wait_without_a_signal_is_spurious, an_unseen_signal_is_taken_for_the_latest_seen,
	  input_and_output_of_the_holder_counts_while_others_wait,
	  input_and_output_before_the_wait_is_left_out,
	  input_and_output_before_the_release_before_is_left_out,
	  of_a_queue_of_waiters_each_knows_the_least, a_release_that_is_taken_back_is_the_next_ones,
	  a_release_that_woke_stays, a_release_is_taken_back_after_another_one,
	  a_release_that_is_taken_back_is_none, a_release_from_before_the_wait_is_taken_back,
	  every_function_charges_exactly_the_wait, a_full_table_still_charges_everything)
