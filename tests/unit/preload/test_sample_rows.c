/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_rows.h"

#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>
#include <stdlib.h>

enum { FIRST = 32, LIMIT = 2048, STACKS = 40000, WEIGHT = 5 };

static struct thread *thread;
static struct unwind_path walk;

static void prepare(void)
{
	thread = calloc(1, sizeof *thread);
	ck_assert(thread && !scratch_open());
	callpath_reset();
	sample_rows_reset();
	row_hash_prepare(&thread->samples, TABLE_samples, sizeof(struct row_samples), 1, FIRST,
			 LIMIT);
}

/* The stack of that number: its innermost place lies in `strtol` or in `malloc`. */
static uint32_t stack(uint64_t number, const void *routine)
{
	walk.count = 3;
	walk.place[0] = ((uint64_t)routine + 4 + number % 8) | UNWIND_EXACT;
	walk.place[1] = 0x10000 + number / 8 % 200 * 16;
	walk.place[2] = 0x90000 + number / 1600 * 16;
	return callpath_of(&walk, 0);
}

static uint32_t sample(uint64_t number, const void *routine, uint32_t level)
{
	struct row_samples *row = sample_row(thread, &walk, stack(number, routine), level, 0);

	ck_assert_ptr_nonnull(row);
	row->cpu_ns += WEIGHT;
	row->count++;
	return row->callpath;
}

static uint64_t cpu_of(uint32_t path, uint32_t level)
{
	return scratch_sum(TABLE_samples, path | (uint64_t)level << 32,
			   offsetof(struct row_samples, cpu_ns));
}

static uint64_t cpu_of_all(void)
{
	return scratch_sum(TABLE_samples, 0, offsetof(struct row_samples, cpu_ns));
}

START_TEST(a_thread_with_many_stacks_keeps_all_of_them)
{
	prepare();
	for (uint64_t i = 0; i < STACKS; i++)
		ck_assert_uint_eq(sample(i, strtol, 1), stack(i, strtol));
	ck_assert_uint_eq(cpu_of_all(), UINT64_C(1) * STACKS * WEIGHT);
	ck_assert_uint_eq(cpu_of(callpath_mark(MARK_OTHER), 1), 0);
	ck_assert_uint_eq(store_header()->lost_rows, 0);
}
END_TEST

START_TEST(beyond_the_last_room_the_innermost_routine_is_charged)
{
	uint64_t count = 0;

	prepare();
	while (sample(count, strtol, 1) == stack(count, strtol))
		ck_assert_uint_lt(++count, 200000);
	uint32_t routine = sample(count + 1, strtol, 1);
	ck_assert_uint_eq(routine, callpath_routine(&walk));
	ck_assert_uint_eq(callpath_parent(routine), callpath_mark(MARK_TRUNCATED));
	/* a routine that was never met before has its own row, at any level */
	for (uint32_t level = 1; level <= 64; level++)
		for (uint64_t i = 0; i < 10; i++)
			sample(i + 190000, malloc, level);
	stack(0, malloc);
	ck_assert_uint_ne(callpath_routine(&walk), routine);
	for (uint32_t level = 1; level <= 64; level++)
		ck_assert_uint_eq(cpu_of(callpath_routine(&walk), level), 10 * WEIGHT);
	ck_assert_uint_eq(cpu_of_all(), (count + 2 + 640) * WEIGHT);
	ck_assert_uint_eq(cpu_of(callpath_mark(MARK_OTHER), 1), 0);
}
END_TEST

START_TEST(a_stack_that_is_known_keeps_its_row_when_there_is_no_more_room)
{
	uint64_t count = 0;

	prepare();
	while (sample(count, strtol, 1) == stack(count, strtol))
		ck_assert_uint_lt(++count, 200000);
	ck_assert_uint_eq(sample(count - 1, strtol, 1), stack(count - 1, strtol));
}
END_TEST

START_TEST(where_routines_have_no_room_a_shorter_path_is_charged)
{
	uint64_t total = 0;

	prepare();
	walk.count = 1;
	walk.place[0] = 0x90000;
	uint32_t outer = callpath_of(&walk, 0);
	struct row_samples *row = NULL;
	/* routines without unwind information: each place is one */
	for (uint64_t i = 0; i < 400000 && !store_header()->lost_rows; i++) {
		walk.count = 3;
		walk.place[0] = (0x7000000 + i * 16) | UNWIND_EXACT;
		walk.place[1] = 0x10000 + i / 200;
		walk.place[2] = 0x90000;
		uint32_t path = callpath_of(&walk, 0);
		if (i % 100 == 99)
			path = outer;
		row = sample_row(thread, &walk, path, 1, 0);
		ck_assert_ptr_nonnull(row);
		row->cpu_ns += WEIGHT;
		total += WEIGHT;
		if (row->callpath == outer && i % 100 != 99)
			break;
	}
	ck_assert_uint_eq(row->callpath, outer);
	ck_assert_uint_eq(cpu_of_all(), total);
}
END_TEST

START_TEST(threads_share_what_there_is)
{
	struct thread *first;
	uint64_t count = 0;

	prepare();
	first = thread;
	while (sample(count, strtol, 1) == stack(count, strtol))
		ck_assert_uint_lt(++count, 200000);
	/* the next ones still get what each may have anyway, and fall back as well */
	for (int i = 0; i < 40; i++) {
		thread = calloc(1, sizeof *thread);
		ck_assert_ptr_nonnull(thread);
		row_hash_prepare(&thread->samples, TABLE_samples, sizeof(struct row_samples), 2,
				 FIRST, LIMIT);
		for (uint64_t j = 0; j < 1000; j++)
			ck_assert_uint_eq(sample(j, strtol, 2), stack(j, strtol));
	}
	ck_assert_ptr_ne(first, thread);
	ck_assert_uint_lt(store_header()->used_bytes, FORMAT_MAX_BYTES / 4 * 3);
}
END_TEST

START_TEST(time_in_a_wait_has_rows_of_its_own)
{
	prepare();
	uint32_t path = stack(1, strtol);
	struct row_samples *outside = sample_row(thread, &walk, path, 70000, 0);
	struct row_samples *inside = sample_row(thread, &walk, path, 70000, CAUSE_SPINLOCK);

	ck_assert_ptr_ne(outside, inside);
	ck_assert_ptr_eq(sample_row(thread, &walk, path, 65536, CAUSE_SPINLOCK), inside);
	ck_assert_uint_eq(inside->callpath, path);
	ck_assert_uint_eq(inside->level, 65535);
	ck_assert_uint_eq(inside->cause, CAUSE_SPINLOCK);
	ck_assert_uint_eq(outside->level, 65535);
	ck_assert_uint_eq(outside->cause, 0);
}
END_TEST

UNIT_MAIN("sample_rows", a_thread_with_many_stacks_keeps_all_of_them,
	  beyond_the_last_room_the_innermost_routine_is_charged,
	  a_stack_that_is_known_keeps_its_row_when_there_is_no_more_room,
	  where_routines_have_no_room_a_shorter_path_is_charged, threads_share_what_there_is,
	  time_in_a_wait_has_rows_of_its_own)
