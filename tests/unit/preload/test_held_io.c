/* SPDX-License-Identifier: MIT */
/* Whether a lock was held during a wait, from counts of calls alone. */
#include "preload/waits/held_io.h"

#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

static struct thread thread;
static char locks[4000];
static struct object *lock;

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	object_reset();
	thread = (struct thread){.last_release.left = 3};
	call_counts_prepare(&thread.counts, 1, 3);
	lock = object_find(&locks[0], OBJECT_MUTEX, (uint64_t)prepare);
}

static void take(const char *address)
{
	call_counts_add(&thread.counts, address, OP_MUTEX_LOCK, (uint64_t)prepare);
}

static void wait_from(uint64_t start_ns, uint64_t length_ns, uint64_t what)
{
	held_io_add(&thread, start_ns, start_ns + length_ns, what, NULL);
}

/* For another thread, which ends with taking a lock. */
static void wait_for_thread(uint64_t start_ns, uint64_t length_ns, const void *taken)
{
	held_io_add(&thread, start_ns, start_ns + length_ns, 5 | HOLD_FOR_THREADS, taken);
}

/* A lock whose calls are added up beside those of the first. */
static const char *other_slot(void)
{
	for (int i = 1; i < 4000; i++)
		if (hash_slot((uint64_t)&locks[i], THREAD_LOCKS) !=
		    hash_slot((uint64_t)&locks[0], THREAD_LOCKS))
			return &locks[i];
	return NULL;
}

START_TEST(waits_since_the_lock_was_taken_add_up)
{
	prepare();
	take(&locks[0]);
	wait_from(1000, 30000, 7);
	ck_assert_uint_eq(thread.last_release.left, 0);
	wait_from(50000, 40000, 8);
	wait_from(100000, 20000, 9);
	const struct hold_io *io = held_io_at_release(&thread, lock);

	ck_assert_ptr_nonnull(io);
	ck_assert_uint_eq(io->begin_ns, 1000);
	ck_assert_uint_eq(io->ns, 90000);
	ck_assert_uint_eq(io->what, 8);
}
END_TEST

START_TEST(a_lock_that_was_taken_after_the_wait_was_not_held)
{
	prepare();
	wait_from(1000, 30000, 7);
	take(&locks[0]);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_from(50000, 30000, 7);
	ck_assert_ptr_nonnull(held_io_at_release(&thread, lock));
	ck_assert_uint_eq(held_io_at_release(&thread, lock)->ns, 30000);
}
END_TEST

START_TEST(another_lock_does_not_hide_it)
{
	prepare();
	take(&locks[0]);
	wait_from(1000, 30000, 7);
	take(other_slot());
	ck_assert_ptr_nonnull(held_io_at_release(&thread, lock));
}
END_TEST

START_TEST(a_lock_that_was_waited_for_was_taken_then)
{
	struct open_wait of_lock = {.cause = CAUSE_MUTEX, .address = &locks[0]};
	struct open_wait of_condition = {
		.cause = CAUSE_CONDITION, .address = other_slot(), .mutex = &locks[0]};
	struct open_wait of_other = {.cause = CAUSE_MUTEX, .address = other_slot()};

	prepare();
	wait_from(1000, 30000, 7);
	held_io_waited(&thread, &of_other);
	ck_assert_ptr_nonnull(held_io_at_release(&thread, lock));
	held_io_waited(&thread, &of_lock);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_from(50000, 30000, 7);
	held_io_waited(&thread, &of_condition);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
}
END_TEST

START_TEST(what_is_not_certain_is_not_said)
{
	prepare();
	take(&locks[0]);
	wait_from(1000, HELD_IO_NS - 1, 7);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_from(50000, 30000, 7);
	/* one that is destroyed has counted calls that nobody can tell from others */
	take(other_slot());
	call_counts_forget(&thread.counts, other_slot());
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_from(100000, 30000, 7);
	for (int i = 1; i < 600; i++) /* the sums begin anew in a larger table */
		take(&locks[i]);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_from(200000, 30000, 7); /* and this one is too large */
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
}
END_TEST

START_TEST(a_wait_is_forgotten_when_other_locks_are_released)
{
	prepare();
	struct object *never_held = object_find(other_slot(), OBJECT_MUTEX, (uint64_t)prepare);

	take(&locks[0]);
	wait_from(1000, 30000, 7);
	take(other_slot());
	for (int i = 0; i < HELD_IO_MISSES; i++)
		ck_assert_ptr_null(held_io_at_release(&thread, never_held));
	ck_assert_uint_eq(thread.held_io.io.ns, 0);
}
END_TEST

START_TEST(waits_that_would_cost_too_much_are_not_looked_at)
{
	prepare();
	for (int i = 0; i < 40; i++)
		take(&locks[i]);
	uint64_t least_ns = (uint64_t)HELD_IO_ROW_NS * (call_counts_mask(thread.counts.table) + 1);

	ck_assert_uint_gt(least_ns, HELD_IO_NS);
	wait_from(1000, least_ns - 1, 7);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_from(1000, least_ns, 7);
	ck_assert_ptr_nonnull(held_io_at_release(&thread, lock));
}
END_TEST

START_TEST(only_locks_are_held)
{
	prepare();
	struct object *condition = object_find(other_slot(), OBJECT_CONDITION, (uint64_t)prepare);

	wait_from(1000, 30000, 7);
	ck_assert_ptr_null(held_io_at_release(&thread, condition));
}
END_TEST

START_TEST(a_lock_that_a_wait_ended_with_was_not_held)
{
	prepare();
	struct object *taken = object_find(other_slot(), OBJECT_MUTEX, (uint64_t)prepare);
	struct open_wait of_taken = {.cause = CAUSE_MUTEX, .address = other_slot()};

	take(&locks[0]);
	wait_for_thread(1000, HELD_FOR_THREADS * 30000, other_slot());
	held_io_waited(&thread, &of_taken);
	for (int i = 0; i < 2 * HELD_IO_MISSES; i++)
		ck_assert_ptr_null(held_io_at_release(&thread, taken));
	const struct hold_io *wait = held_io_at_release(&thread, lock);

	ck_assert_ptr_nonnull(wait);
	ck_assert_uint_eq(wait->ns, HELD_FOR_THREADS * 30000);
	ck_assert_uint_eq(wait->what, 5 | HOLD_FOR_THREADS);
}
END_TEST

START_TEST(waits_for_threads_are_looked_at_if_they_are_longer)
{
	prepare();
	take(&locks[0]);
	wait_for_thread(1000, HELD_FOR_THREADS * HELD_IO_NS - 1, NULL);
	ck_assert_ptr_null(held_io_at_release(&thread, lock));
	wait_for_thread(1000, HELD_FOR_THREADS * HELD_IO_NS, NULL);
	ck_assert_ptr_nonnull(held_io_at_release(&thread, lock));
}
END_TEST

START_TEST(of_two_kinds_the_longer_one_counts)
{
	prepare();
	take(&locks[0]);
	wait_from(1000, 300000, 7);
	wait_for_thread(400000, 200000, NULL);
	ck_assert_uint_eq(held_io_at_release(&thread, lock)->ns, 300000);
	ck_assert_uint_eq(held_io_at_release(&thread, lock)->what, 7);
	wait_for_thread(700000, 400000, NULL);
	ck_assert_uint_eq(held_io_at_release(&thread, lock)->ns, 400000);
	ck_assert_uint_eq(held_io_at_release(&thread, lock)->begin_ns, 700000);
	ck_assert_uint_eq(held_io_at_release(&thread, lock)->what, 5 | HOLD_FOR_THREADS);
}
END_TEST

UNIT_MAIN("held_io", waits_since_the_lock_was_taken_add_up,
	  a_lock_that_was_taken_after_the_wait_was_not_held, another_lock_does_not_hide_it,
	  a_lock_that_was_waited_for_was_taken_then, what_is_not_certain_is_not_said,
	  a_wait_is_forgotten_when_other_locks_are_released,
	  waits_that_would_cost_too_much_are_not_looked_at, only_locks_are_held,
	  a_lock_that_a_wait_ended_with_was_not_held,
	  waits_for_threads_are_looked_at_if_they_are_longer, of_two_kinds_the_longer_one_counts)
