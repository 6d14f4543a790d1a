/* SPDX-License-Identifier: MIT */
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
}

static uint32_t path(unsigned count, const uint64_t *places, bool is_truncated)
{
	struct unwind_path stack = {.count = count, .is_truncated = is_truncated};

	for (unsigned i = 0; i < count; i++)
		stack.place[i] = places[i];
	return callpath_of(&stack, 0);
}

struct wanted {
	uint32_t number;
	struct row_callpaths row;
};

static void find_row(const struct format_block *block, void *context)
{
	struct wanted *wanted = context;

	if (block->table == TABLE_callpaths && wanted->number - block->first_row < block->capacity)
		wanted->row =
			((const struct row_callpaths *)(block +
							1))[wanted->number - block->first_row];
}

static struct row_callpaths row_of(uint32_t number)
{
	struct wanted wanted = {.number = number};

	scratch_walk(find_row, &wanted);
	return wanted.row;
}

START_TEST(shared_beginnings_are_kept_once)
{
	const uint64_t first[] = {0x3000, 0x2000, 0x1000}, second[] = {0x4000, 0x2000, 0x1000};

	prepare();
	uint32_t a = path(3, first, false), b = path(3, second, false);
	ck_assert_uint_ne(a, b);
	ck_assert_uint_eq(path(3, first, false), a);
	ck_assert_uint_eq(row_of(a).parent, row_of(b).parent);
	ck_assert_uint_eq(row_of(row_of(a).parent).parent, path(1, first + 2, false));
	ck_assert_uint_eq(row_of(a).offset, 0x3000);
}
END_TEST

START_TEST(an_exact_place_is_another_than_a_return_address)
{
	const uint64_t exact[] = {0x3000 | UNWIND_EXACT}, plain[] = {0x3000};

	prepare();
	uint32_t a = path(1, exact, false), b = path(1, plain, false);
	ck_assert_uint_ne(a, b);
	ck_assert_uint_eq(row_of(a).flags, CALLPATH_EXACT | CALLPATH_PRESENT);
	ck_assert_uint_eq(row_of(b).flags, CALLPATH_PRESENT);
}
END_TEST

START_TEST(a_place_in_the_program_has_its_module)
{
	prepare();
	uint32_t here = callpath_place((uint64_t)prepare | UNWIND_EXACT);
	ck_assert_uint_eq(row_of(here).module, 1);
	ck_assert_uint_eq(callpath_start((uint64_t)prepare), here);
}
END_TEST

START_TEST(a_truncated_stack_hangs_below_its_mark)
{
	const uint64_t places[] = {0x2000, 0x1000};

	prepare();
	uint32_t cut = path(2, places, true), whole = path(2, places, false);
	ck_assert_uint_ne(cut, whole);
	ck_assert_uint_eq(row_of(row_of(cut).parent).parent, callpath_mark(MARK_TRUNCATED));
	ck_assert_uint_eq(row_of(callpath_mark(MARK_TRUNCATED)).flags,
			  CALLPATH_MARK | CALLPATH_PRESENT);
}
END_TEST

START_TEST(no_stack_at_all_is_the_mark_of_others)
{
	prepare();
	ck_assert_uint_eq(path(0, NULL, false), callpath_mark(MARK_OTHER));
}
END_TEST

static uint32_t fill(void)
{
	uint64_t places[] = {0, 0x2000, 0x1000};

	for (uint64_t i = 1; i < 300000 && !callpath_is_full(); i++) {
		places[0] = i << 16;
		places[1] = 0x2000 + i / 250; /* siblings are searched one by one */
		ck_assert_uint_ne(path(3, places, false), 0);
	}
	return callpath_is_full();
}

START_TEST(a_full_table_charges_the_innermost_routine)
{
	uint64_t places[] = {((uint64_t)strtol + 5) | UNWIND_EXACT, 0x2000, 0x1000};

	prepare();
	ck_assert(fill());
	uint32_t routine = path(3, places, false);
	ck_assert_uint_eq(row_of(routine).parent, callpath_mark(MARK_TRUNCATED));
	places[0]++;
	ck_assert_uint_eq(path(3, places, false), routine);
	places[1] = 0x3333;
	ck_assert_uint_eq(path(3, places, false), routine);
	places[0] = (uint64_t)strtoul + 5; /* of the same library, also beside a sanitizer */
	uint32_t other = path(3, places, false);
	ck_assert_uint_ne(other, routine);
	ck_assert_uint_eq(row_of(other).module, row_of(routine).module);
}
END_TEST

START_TEST(stacks_that_are_known_and_single_places_have_their_rows_in_a_full_table)
{
	const uint64_t known[] = {1 << 16, 0x2000, 0x1000};

	prepare();
	uint32_t before = path(3, known, false);
	ck_assert(fill());
	ck_assert_uint_eq(path(3, known, false), before);
	for (uint64_t i = 0; i < 10000; i++)
		ck_assert_uint_ne(callpath_place(0x5000 + i), 0);
}
END_TEST

START_TEST(without_memory_every_stack_is_nothing)
{
	const uint64_t places[] = {0x2000, 0x1000};

	ck_assert_uint_eq(path(2, places, false), 0);
}
END_TEST

enum { THREADS = 4, STACKS = 4000 };

static uint32_t numbers[THREADS][STACKS];

static void *intern(void *number)
{
	uint64_t places[4] = {0, 0, 0x2000, 0x1000};

	for (uint64_t i = 0; i < STACKS; i++) {
		places[0] = 0x100000 + i % 61 * 16;
		places[1] = 0x900000 + i / 61 * 16;
		numbers[(uintptr_t)number][i] = path(4, places, i % 7 == 0);
	}
	return NULL;
}

START_TEST(threads_that_meet_the_same_stacks_get_the_same_numbers)
{
	prepare();
	scratch_run(THREADS, intern);
	for (int i = 0; i < STACKS; i++)
		for (int t = 0; t < THREADS; t++) {
			ck_assert_uint_ne(numbers[t][i], 0);
			ck_assert_uint_eq(numbers[t][i], numbers[0][i]);
		}
}
END_TEST

START_TEST(marks_are_forgotten_with_their_profile)
{
	const uint64_t place = 0x1000;

	prepare();
	uint32_t mark = callpath_mark(MARK_OTHER);
	ck_assert_uint_eq(callpath_mark(MARK_OTHER), mark);
	ck_assert_uint_eq(row_of(mark).offset, MARK_OTHER);
	prepare();
	ck_assert_uint_eq(path(1, &place, false), mark); /* the first one of this profile */
	ck_assert_uint_ne(callpath_mark(MARK_OTHER), mark);
	ck_assert_uint_eq(row_of(callpath_mark(MARK_OTHER)).flags,
			  CALLPATH_MARK | CALLPATH_PRESENT);
}
END_TEST

UNIT_MAIN("callpath", shared_beginnings_are_kept_once,
	  an_exact_place_is_another_than_a_return_address, a_place_in_the_program_has_its_module,
	  a_truncated_stack_hangs_below_its_mark, no_stack_at_all_is_the_mark_of_others,
	  marks_are_forgotten_with_their_profile, a_full_table_charges_the_innermost_routine,
	  stacks_that_are_known_and_single_places_have_their_rows_in_a_full_table,
	  without_memory_every_stack_is_nothing,
	  threads_that_meet_the_same_stacks_get_the_same_numbers)
