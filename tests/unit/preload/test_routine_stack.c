/* SPDX-License-Identifier: MIT */
#include "preload/calls/routine_stack_parts.h"

#include "preload/base/clock.h"
#include "preload/file/schema.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

/* Made frames on a made stack, which grows down from TOP; calls of libc's routines, which lie in a
 * module. */
enum { LOW = 0x10000, TOP = 0x90000, BYTES = 64, OWNER = 1, OTHER_STACK = 0x200000 };

static struct routine_stack *stack;

static void prepare(void)
{
	ck_assert(!scratch_open());
	callpath_reset();
	stack = NULL;
	ck_assert(routine_stack_make(&stack, OWNER, (struct unwind_stack){LOW, TOP}));
}

static struct routine_call call(const void *routine, uint64_t frame)
{
	return (struct routine_call){
		.routine = (uint64_t)routine,
		.site = frame / BYTES,
		.frame = frame,
		.back = (uint64_t)routine + 16,
	};
}

static void enter(const void *routine, uint64_t frame)
{
	struct routine_call made = call(routine, frame);

	routine_stack_enter(stack, &made, 1);
}

static void leave(const void *routine, uint64_t frame)
{
	struct routine_call made = call(routine, frame);

	routine_stack_leave(stack, &made);
}

static uint64_t sum(const void *routine, size_t offset)
{
	uint64_t key = routine ? callpath_start((uint64_t)routine) : 0;

	return scratch_sum(TABLE_calls, key, (uint32_t)offset);
}

#define SUM(routine, column) sum(routine, offsetof(struct row_calls, column))

static void spin_us(uint64_t us)
{
	uint64_t end = clock_now_ns() + us * 1000;

	while (clock_now_ns() < end)
		;
}

START_TEST(self_times_sum_to_the_total)
{
	prepare();
	enter(strtol, TOP - BYTES);
	for (int i = 0; i < 10; i++) {
		enter(malloc, TOP - 2 * BYTES);
		spin_us(50);
		leave(malloc, TOP - 2 * BYTES);
	}
	spin_us(100);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(malloc, count), 10);
	ck_assert_uint_ge(SUM(malloc, total_ns), 10 * 50000 - 1000);
	ck_assert_uint_ge(SUM(strtol, self_ns), 100000 - 1000);
	ck_assert_uint_eq(SUM(strtol, self_ns) + SUM(malloc, self_ns), SUM(strtol, total_ns));
	ck_assert_uint_eq(SUM(NULL, open), 0);
}
END_TEST

START_TEST(a_recursion_is_in_the_total_once)
{
	prepare();
	for (uint64_t i = 1; i <= 50; i++)
		enter(strtol, TOP - i * BYTES);
	ck_assert_uint_eq(SUM(strtol, open), 50);
	spin_us(200);
	for (uint64_t i = 50; i; i--)
		leave(strtol, TOP - i * BYTES);
	ck_assert_uint_eq(SUM(strtol, count), 50);
	ck_assert_uint_eq(SUM(strtol, total_ns), SUM(strtol, self_ns));
	ck_assert_uint_eq(SUM(strtol, open), 0);
}
END_TEST

/* strtol calls malloc, which calls free, which jumps back into strtol. */
static void jump_back(bool is_known)
{
	prepare();
	enter(strtol, TOP - BYTES);
	enter(malloc, TOP - 2 * BYTES);
	enter(free, TOP - 3 * BYTES);
	routine_stack_jump(stack, is_known ? TOP - BYTES + 16 : 0);
}

START_TEST(a_jump_ends_what_lies_below_at_once)
{
	jump_back(true);
	ck_assert_uint_eq(SUM(malloc, open) + SUM(free, open), 0);
	ck_assert_uint_eq(SUM(strtol, open), 1);
	spin_us(500);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_ge(SUM(strtol, self_ns), 500000 - 1000);
	ck_assert_uint_eq(SUM(NULL, unmatched), 0);
}
END_TEST

START_TEST(where_it_went_may_be_found_out_later)
{
	jump_back(false);
	ck_assert_uint_eq(SUM(NULL, open), 3);
	/* from another place of strtol: another return address, the same frame as malloc had */
	struct routine_call next = call(realloc, TOP - 2 * BYTES);
	next.site++;
	routine_stack_enter(stack, &next, 1);
	ck_assert_uint_eq(SUM(malloc, open) + SUM(free, open), 0);
	routine_stack_leave(stack, &next);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(NULL, open), 0);
	ck_assert_uint_eq(SUM(NULL, unmatched), 0);
}
END_TEST

START_TEST(an_end_ends_what_was_called_inside)
{
	jump_back(false);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(NULL, open), 0);
	ck_assert_uint_eq(SUM(strtol, self_ns) + SUM(malloc, self_ns) + SUM(free, self_ns),
			  SUM(strtol, total_ns));
}
END_TEST

START_TEST(an_end_without_a_beginning_changes_nothing_else)
{
	prepare();
	enter(strtol, TOP - BYTES);
	leave(free, TOP - 2 * BYTES);
	ck_assert_uint_eq(SUM(free, unmatched), 1);
	ck_assert_uint_eq(SUM(free, count), 0);
	ck_assert_uint_eq(SUM(strtol, open), 1);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(strtol, open), 0);
}
END_TEST

START_TEST(another_stack_ends_no_calls_of_the_own_one)
{
	prepare();
	enter(strtol, TOP - BYTES);
	enter(malloc, OTHER_STACK);
	ck_assert_uint_eq(SUM(strtol, open), 1);
	leave(malloc, OTHER_STACK);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(NULL, unmatched) + SUM(NULL, open), 0);
}
END_TEST

START_TEST(deeper_calls_are_counted_and_leave_the_others_alone)
{
	uint64_t most = ROUTINE_DEPTH_MOST + 100;

	prepare();
	for (uint64_t i = 1; i <= most; i++)
		enter(strtol, TOP - i * BYTES);
	for (uint64_t i = most; i; i--)
		leave(strtol, TOP - i * BYTES);
	ck_assert_uint_eq(SUM(strtol, count), most);
	ck_assert_uint_eq(SUM(strtol, untimed), 100);
	ck_assert_uint_eq(SUM(strtol, open) + SUM(strtol, unmatched), 0);
}
END_TEST

START_TEST(what_is_open_has_its_time_until_it_was_settled)
{
	prepare();
	enter(strtol, TOP - BYTES);
	enter(malloc, TOP - 2 * BYTES);
	spin_us(300);
	routine_stack_settle(stack, clock_now_ns());
	uint64_t total_ns = SUM(strtol, total_ns);
	ck_assert_uint_ge(total_ns, 300000 - 1000);
	ck_assert_uint_eq(SUM(strtol, self_ns) + SUM(malloc, self_ns), total_ns);
	ck_assert_uint_eq(SUM(NULL, open), 2);
	leave(malloc, TOP - 2 * BYTES);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(strtol, self_ns) + SUM(malloc, self_ns), SUM(strtol, total_ns));
	ck_assert_uint_ge(SUM(strtol, total_ns), total_ns);
}
END_TEST

START_TEST(a_thread_is_time_of_who_created_it)
{
	prepare();
	enter(strtol, TOP - BYTES);
	uint32_t starter = routine_stack_innermost(stack);
	struct routine_stack *of_thread = NULL;
	routine_stack_begin(&of_thread, OWNER + 1, (struct unwind_stack){0, 0}, starter, 5000);
	routine_stack_settle(of_thread, 7000);
	ck_assert_uint_eq(SUM(strtol, started_ns), 2000);
	routine_stack_end(of_thread, 9000);
	ck_assert_uint_eq(SUM(strtol, started_ns), 4000);
	ck_assert_uint_eq(SUM(strtol, threads), 1);
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(routine_stack_innermost(stack), 0);
}
END_TEST

/* The library took 2 ms for itself while they were under way. */
START_TEST(what_is_left_out_is_no_time_of_open_calls)
{
	prepare();
	uint64_t begin_ns = clock_now_ns();
	enter(strtol, TOP - BYTES);
	enter(malloc, TOP - 2 * BYTES);
	spin_us(2000);
	routine_stack_leave_out(stack, 2000000);
	spin_us(100);
	leave(malloc, TOP - 2 * BYTES);
	leave(strtol, TOP - BYTES);
	uint64_t life_ns = clock_now_ns() - begin_ns - 2000000;
	ck_assert_uint_ge(SUM(malloc, self_ns), 100000 - 1000);
	ck_assert_uint_le(SUM(malloc, self_ns) + SUM(strtol, self_ns), life_ns);
	ck_assert_uint_eq(SUM(malloc, self_ns) + SUM(strtol, self_ns), SUM(strtol, total_ns));
}
END_TEST

START_TEST(thousands_of_routines_have_a_row_each)
{
	prepare();
	for (uint64_t i = 0; i < 5000; i++) {
		enter((const char *)strtol + i, TOP - BYTES);
		leave((const char *)strtol + i, TOP - BYTES);
	}
	for (uint64_t i = 0; i < 5000; i += 100)
		ck_assert_uint_eq(SUM((const char *)strtol + i, count), 1);
	ck_assert_uint_eq(SUM(NULL, count), 5000);
}
END_TEST

/* A hook in malloc, which returns there, and one of the same call that has an end as well. */
static const char *place_in_malloc(void)
{
	return (const char *)malloc + 8;
}

static void begin(const char *place, uint64_t frame)
{
	if (!routine_stack_begun_quickly(stack, (uint64_t)place, frame))
		routine_stack_begun(stack, (uint64_t)place, frame);
}

START_TEST(begun_calls_are_counted_only)
{
	prepare();
	for (uint64_t i = 1; i <= 100; i++)
		begin(place_in_malloc(), TOP - i * BYTES);
	ck_assert_uint_eq(SUM(malloc, count), 100);
	ck_assert_uint_eq(SUM(malloc, untimed), 100);
	ck_assert_uint_eq(SUM(malloc, sequential), 100);
	ck_assert_uint_eq(SUM(NULL, open) + SUM(NULL, total_ns) + SUM(NULL, self_ns), 0);
	ck_assert(!routine_stack_innermost(stack));
}
END_TEST

START_TEST(a_call_that_both_hooks_tell_is_counted_once)
{
	prepare();
	for (int i = 0; i < 10; i++) {
		begin(place_in_malloc(), TOP - BYTES);
		enter(malloc, TOP - BYTES - 8);
		leave(malloc, TOP - BYTES - 8);
	}
	ck_assert_uint_eq(SUM(malloc, count), 10);
	ck_assert_uint_eq(SUM(malloc, sequential), 10);
	ck_assert_uint_eq(SUM(malloc, untimed) + SUM(malloc, open) + SUM(malloc, unmatched), 0);
}
END_TEST

/* malloc tells its begin, and is over; then it is inlined in its caller, of which both are told. */
START_TEST(two_calls_of_a_routine_are_two)
{
	prepare();
	begin(place_in_malloc(), TOP - 2 * BYTES);
	enter(malloc, TOP - BYTES);
	leave(malloc, TOP - BYTES);
	ck_assert_uint_eq(SUM(malloc, count), 2);
	ck_assert_uint_eq(SUM(malloc, untimed), 1);
}
END_TEST

/* While a hook is at work, a handler calls malloc, which tells its begin, and free. */
static void interrupt_hook(uint64_t frame)
{
	stack->busy = frame;
	begin(place_in_malloc(), frame - BYTES);
	enter(free, frame - 2 * BYTES);
	leave(free, frame - 2 * BYTES);
}

START_TEST(calls_of_handlers_are_counted_when_the_hook_is_done)
{
	prepare();
	interrupt_hook(TOP - BYTES);
	ck_assert_uint_eq(SUM(NULL, count), 0);
	routine_stack_jump(stack, TOP - BYTES + 16); /* out of the handler and the hook */
	ck_assert_uint_eq(SUM(malloc, count), 1);
	ck_assert_uint_eq(SUM(free, count), 1);
	ck_assert_uint_eq(SUM(NULL, untimed), 2);
	interrupt_hook(TOP - BYTES);
	stack->late_done = 1; /* the other handler jumped out of counting these */
	routine_stack_jump(stack, TOP - BYTES + 16);
	ck_assert_uint_eq(SUM(malloc, count), 1);
	ck_assert_uint_eq(SUM(free, count), 2);
}
END_TEST

/* The handler never comes back: setcontext, or a jump that is not seen. */
START_TEST(a_hook_that_was_left_is_replaced_by_one_further_out)
{
	prepare();
	interrupt_hook(TOP - 4 * BYTES);
	begin(place_in_malloc(), TOP - 4 * BYTES); /* the same place, so it counts the others too */
	ck_assert_uint_eq(SUM(malloc, count), 2);
	ck_assert_uint_eq(SUM(free, count), 1);
	stack->busy = TOP - 4 * BYTES;
	enter(strtol, TOP - BYTES);
	stack->busy = TOP - 4 * BYTES;
	leave(strtol, TOP - BYTES);
	ck_assert_uint_eq(SUM(strtol, count), 1);
	ck_assert_uint_eq(SUM(strtol, open) + SUM(strtol, untimed) + SUM(strtol, unmatched), 0);
	ck_assert_uint_eq(stack->busy, 0);
}
END_TEST

/* Of other stacks the order is not known: a hook that lets many begin is taken for left. */
START_TEST(no_call_is_lost_if_a_hook_never_goes_on)
{
	prepare();
	stack->busy = OTHER_STACK;
	for (int i = 0; i < 100; i++) {
		begin(place_in_malloc(), OTHER_STACK - BYTES);
		enter(free, OTHER_STACK - BYTES);
		leave(free, OTHER_STACK - BYTES);
	}
	ck_assert_uint_eq(SUM(malloc, count), 100);
	ck_assert_uint_eq(SUM(free, count), 100);
	ck_assert_uint_eq(SUM(free, untimed), ROUTINE_LATE_MOST / 2);
	ck_assert_uint_eq(stack->busy, 0);
}
END_TEST

/* A hook was in the middle of an end when a coroutine went on, whose hooks took over; then it goes
 * on itself. */
START_TEST(a_hook_that_was_not_left_after_all_breaks_nothing)
{
	prepare();
	for (int i = 0; i < 3; i++)
		leave(strtol, TOP - BYTES); /* with no entry */
	ck_assert_uint_eq(stack->depth, 0);
	routine_stack_take(stack, OTHER_STACK);
	for (int i = 0; i <= ROUTINE_LATE_MOST; i++)
		begin(place_in_malloc(), TOP - BYTES);
	routine_stack_take(stack, TOP - BYTES);
	routine_stack_let_go(stack, OTHER_STACK); /* which it is not any more */
	ck_assert_uint_eq(stack->busy, TOP - BYTES);
	routine_stack_let_go(stack, TOP - BYTES);
	ck_assert_uint_eq(stack->busy, 0);
	ck_assert_uint_eq(SUM(malloc, count), ROUTINE_LATE_MOST + 1);
}
END_TEST

/* strtol lies in front of a routine that is told by -pg only and is over, in the same frame; the
 * tables do not say which routine that hook is in. */
START_TEST(a_begin_elsewhere_is_of_another_routine)
{
	const struct routine_call next = {
		.routine = (uint64_t)place_in_malloc() - 40,
		.back = (uint64_t)place_in_malloc() - 20,
		.site = 1,
		.frame = TOP - BYTES - 8,
	};

	prepare();
	struct row_calls *row =
		routine_rows_of_place(&stack->rows, callpath_place((uint64_t)place_in_malloc()));
	for (int i = 0; i < 5; i++) {
		stack->begun =
			(struct begun_call){row, (uint64_t)place_in_malloc(), TOP - BYTES, 0};
		routine_stack_count(row, true, false);
		routine_stack_enter(stack, &next, 1);
		routine_stack_leave(stack, &next);
	}
	ck_assert_uint_eq(row->count, 5);
	ck_assert_uint_eq(row->untimed, 5);
}
END_TEST

/* malloc tells its begin; then free, which is not told by -pg, has malloc inlined. */
START_TEST(a_begin_is_over_when_another_routine_begins)
{
	prepare();
	for (int i = 0; i < 5; i++) {
		begin(place_in_malloc(), TOP - BYTES);
		enter(free, TOP - 2 * BYTES);
		enter(malloc, TOP - 2 * BYTES);
		leave(malloc, TOP - 2 * BYTES);
		leave(free, TOP - 2 * BYTES);
	}
	ck_assert_uint_eq(SUM(malloc, count), 10);
	ck_assert_uint_eq(SUM(malloc, untimed), 5);
}
END_TEST

START_TEST(a_begun_call_counts_what_was_late)
{
	prepare();
	begin(place_in_malloc(), TOP - BYTES);
	stack->late[stack->late_count++] = (uint64_t)free;
	begin(place_in_malloc(), TOP - BYTES);
	ck_assert_uint_eq(SUM(malloc, count), 2);
	ck_assert_uint_eq(SUM(free, count), 1);
	ck_assert_uint_eq(stack->busy, 0);
}
END_TEST

START_TEST(a_handler_may_call_what_both_hooks_tell)
{
	prepare();
	stack->busy = TOP - BYTES;
	begin(place_in_malloc(), TOP - 2 * BYTES);
	enter(malloc, TOP - 2 * BYTES - 8);
	routine_stack_jump(stack, TOP - BYTES + 16);
	ck_assert_uint_eq(SUM(malloc, count), 1);
}
END_TEST

#ifdef __x86_64__
/* The trap flag raises SIGTRAP behind each instruction of an end; the handler jumps out of one. */
enum { TRAP_FLAG = 0x100, STEPS_MOST = 100000 };

static sigjmp_buf out;
static volatile int steps_left;
static volatile bool is_stepping;

static void step(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (!is_stepping)
		return;
	registers[REG_EFL] |= TRAP_FLAG;
	if (steps_left-- > 0)
		return;
	routine_stack_jump(stack, TOP - BYTES);
	siglongjmp(out, 1);
}

/* A call of 200 us, of which free has the half; the jump leaves its end at that instruction. False:
 * the end has fewer. */
static bool leave_end_at(int place)
{
	enter(malloc, TOP - 2 * BYTES);
	enter(free, TOP - 3 * BYTES);
	enter(malloc, TOP - 4 * BYTES);
	spin_us(100);
	leave(malloc, TOP - 4 * BYTES);
	leave(free, TOP - 3 * BYTES);
	steps_left = place;
	if (sigsetjmp(out, 1))
		return true;
	is_stepping = true;
	raise(SIGTRAP);
	leave(malloc, TOP - 2 * BYTES);
	is_stepping = false;
	raise(SIGTRAP);
	return false;
}

static void check_parts(void)
{
	const uint64_t outer_ns = SUM(strtol, total_ns);

	ck_assert_uint_le(SUM(malloc, self_ns), SUM(malloc, total_ns));
	ck_assert_uint_le(SUM(free, self_ns), SUM(free, total_ns));
	ck_assert_uint_ge(SUM(malloc, total_ns), 100000 - 1000);
	ck_assert_uint_le(SUM(malloc, total_ns), outer_ns);
	ck_assert_uint_le(SUM(NULL, self_ns), outer_ns);
	ck_assert_uint_eq(SUM(NULL, open), 0);
}

START_TEST(an_end_may_be_left_at_each_instruction)
{
	struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
	bool was_left = true;

	sigaction(SIGTRAP, &action, NULL);
	for (int place = 0; was_left && place < STEPS_MOST; place++) {
		prepare();
		enter(strtol, TOP - BYTES);
		was_left = leave_end_at(place);
		leave(strtol, TOP - BYTES);
		check_parts();
	}
	ck_assert(!was_left);
}
END_TEST
#define STEPPED an_end_may_be_left_at_each_instruction,
#else /* a program cannot step itself */
#define STEPPED
#endif

UNIT_MAIN("routine_stack", STEPPED begun_calls_are_counted_only,
	  a_call_that_both_hooks_tell_is_counted_once, two_calls_of_a_routine_are_two,
	  calls_of_handlers_are_counted_when_the_hook_is_done, a_begun_call_counts_what_was_late,
	  a_hook_that_was_left_is_replaced_by_one_further_out,
	  no_call_is_lost_if_a_hook_never_goes_on,
	  a_hook_that_was_not_left_after_all_breaks_nothing,
	  a_begin_elsewhere_is_of_another_routine, a_begin_is_over_when_another_routine_begins,
	  a_handler_may_call_what_both_hooks_tell, self_times_sum_to_the_total,
	  a_recursion_is_in_the_total_once, a_jump_ends_what_lies_below_at_once,
	  where_it_went_may_be_found_out_later, an_end_ends_what_was_called_inside,
	  an_end_without_a_beginning_changes_nothing_else,
	  another_stack_ends_no_calls_of_the_own_one,
	  deeper_calls_are_counted_and_leave_the_others_alone,
	  what_is_open_has_its_time_until_it_was_settled, a_thread_is_time_of_who_created_it,
	  what_is_left_out_is_no_time_of_open_calls, thousands_of_routines_have_a_row_each)
