/* SPDX-License-Identifier: MIT */
#include "arch.h"
#include "preload/process/module_map.h"
#include "preload/process/real.h"
#include "preload/stacks/unwind.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP     __asm__ volatile("" ::: "memory")

static struct unwind_stack stack;

static void prepare(void)
{
	real_need();
	module_map_start();
	stack = scratch_stack();
}

/* The frame of this function's caller. */
#define CALLER                                                                                     \
	((struct unwind_frame){.pc = (uint64_t)__builtin_return_address(0),                        \
			       .sp = (uint64_t)__builtin_dwarf_cfa(),                              \
			       .fp = *(uint64_t *)__builtin_frame_address(0)})

static NOINLINE void look(struct unwind_look *wanted)
{
	struct unwind_frame here = CALLER;

	unwind_look(&here, &stack, wanted);
	KEEP;
}

static NOINLINE void look_deeper(struct unwind_look *wanted, int depth)
{
	if (depth)
		look_deeper(wanted, depth - 1);
	else
		look(wanted);
	KEEP;
}

/* What a wrapper that stands here would keep of its caller. */
static NOINLINE struct unwind_look wrapper(int depth, uint64_t shift)
{
	struct unwind_frame caller = CALLER;
	struct unwind_look wanted = {.sp = caller.sp, .caller = caller.pc + shift};

	if (depth >= 0)
		look_deeper(&wanted, depth);
	KEEP;
	return wanted;
}

START_TEST(a_frame_that_is_there_is_found)
{
	prepare();
	ck_assert(wrapper(0, 0).has_frame);
	ck_assert(wrapper(300, 0).has_frame);
}
END_TEST

START_TEST(another_call_at_the_same_place_of_the_stack_is_not_it)
{
	prepare();
	struct unwind_look wanted = wrapper(3, 1);
	ck_assert(!wanted.has_frame);
	ck_assert(wanted.is_past || wanted.is_whole);
}
END_TEST

START_TEST(a_frame_that_was_left_is_not_found_from_deeper_ones)
{
	prepare();
	struct unwind_look wanted = wrapper(-1, 0);
	look_deeper(&wanted, 10);
	ck_assert(!wanted.has_frame);
	ck_assert(wanted.is_past || wanted.is_whole);
}
END_TEST

START_TEST(this_code_is_its_own)
{
	struct unwind_look wanted = {0};

	prepare();
	look_deeper(&wanted, 3);
	ck_assert(wanted.has_own);
	ck_assert(!wanted.has_frame);
}
END_TEST

UNIT_MAIN("unwind_look", a_frame_that_is_there_is_found,
	  another_call_at_the_same_place_of_the_stack_is_not_it,
	  a_frame_that_was_left_is_not_found_from_deeper_ones, this_code_is_its_own)
