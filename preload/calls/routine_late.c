/* SPDX-License-Identifier: MIT */
/* One hook at a time: what becomes of calls that begin in the middle of a hook of the same thread.
 *
 * Mostly a signal handler makes them, and the hook goes on afterwards: they are remembered, and
 * counted by it. But a handler may never come back (a jump, setcontext, a coroutine that is
 * preempted by swapcontext and goes on later, or not). A hook is taken for left if another one has
 * its frame further out on the thread's own stack, or in the same place; and where that cannot be
 * known, once more calls than can be remembered came in the middle of it. If it does go on later
 * nothing breaks: sums are increments, tables stay where they are, `depth` stays in its bounds, and
 * it lets go of nothing that is not its own. Then a time may be off by the call that was
 * interrupted. */
#include "preload/base/interrupted.h"
#include "preload/calls/routine_stack_parts.h"

#include "preload/file/note.h"
#include "preload/stacks/callpath.h"

/* From a routine's begin to where its hook returns to, where only the former is known. */
enum { PROLOGUE_MOST = 256 };

/* ---- both kinds of hooks in one routine ---- */

/* A routine with both kinds of hooks calls the one of -pg first: then that one returns to between
 * the routine's begin and where this one returns to, in all other cases elsewhere. */
static bool is_begun(const struct begun_call *begun, const struct row_calls *row,
		     const struct routine_call *call)
{
	return call->frame <= begun->frame &&
	       begun->place - call->routine < call->back - call->routine &&
	       (row == begun->row || begun->row->callpath == callpath_place(begun->place));
}

/* What the latest hook of -pg has counted is this call, or over: the next one is not of it. The row
 * may be of another place if that hook was left. */
__attribute__((noinline)) void routine_late_count_once(struct routine_stack *stack,
						       const struct row_calls *row,
						       const struct routine_call *call)
{
	struct begun_call begun = stack->begun;
	const struct row_calls *known = routine_rows_seek(&stack->rows, begun.place);

	stack->begun.row = NULL;
	if (!is_begun(&begun, row, call) || (known && known != begun.row))
		return;
	begun.row->untimed--;
	begun.row->sequential -= begun.is_sequential;
	begun.row->count--;
	routine_rows_ignore(&stack->rows, begun.place);
}

/* ---- late calls ---- */

/* It counts as done before it is counted: a handler may jump out of this. 0: out of remember. */
static void count_one(struct routine_stack *stack, uint64_t late)
{
	uint64_t place = late & ~LATE_BEGUN;
	bool is_begin = late & LATE_BEGUN;
	struct row_calls *row = NULL;
	const struct routine_call call = {.routine = late, .back = late + PROLOGUE_MOST};

	if (late)
		row = is_begin ? routine_rows_find_around(&stack->rows, place)
			       : routine_rows_find(&stack->rows, late);
	stack->late[stack->late_done++] = 0;
	interrupted_fence();
	if (!row)
		return;
	if (is_begin) {
		routine_stack_count_begun(stack, row, place, UINT64_MAX);
		return;
	}
	if (stack->begun.row)
		routine_late_count_once(stack, row, &call);
	routine_stack_count(row, true, routine_stack_is_alone(stack));
}

/* Handlers run to their end before this goes on, so the list only grows meanwhile; or another hook
 * has done it. */
__attribute__((noinline)) void routine_late_count(struct routine_stack *stack)
{
	struct begun_call begun = stack->begun;
	uint64_t busy = stack->busy;
	uint32_t count;

	do {
		count = __atomic_load_n(&stack->late_count, __ATOMIC_RELAXED);
		while (stack->late_done < count && stack->late_done < ROUTINE_LATE_MOST) {
			count_one(stack, stack->late[stack->late_done]);
			if (__atomic_load_n(&stack->busy, __ATOMIC_RELAXED) != busy)
				return;
		}
	} while (!__atomic_compare_exchange_n(&stack->late_count, &count, 0, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	stack->begun = begun;
}

/* In a handler, which another one may interrupt. False: there is no more room. */
static bool remember(struct routine_stack *stack, uint64_t late)
{
	uint32_t index = __atomic_fetch_add(&stack->late_count, 1, __ATOMIC_RELAXED);

	if (!index)
		stack->late_done = 0;
	if (index >= ROUTINE_LATE_MOST)
		return false;
	stack->late[index] = late;
	return true;
}

/* ---- hooks that were left ---- */

/* A handler's frames lie further in, or on a stack of their own. */
static bool is_left(const struct routine_stack *stack, uint64_t frame)
{
	uint64_t busy = stack->busy & ~BEGUN_COUNTED;

	return frame == busy || (frame > busy && routine_stack_is_own(stack, busy) &&
				 routine_stack_is_own(stack, frame));
}

void routine_late_forget_hook(struct routine_stack *stack)
{
	struct row_calls *row = stack->at_work;

	stack->busy = 0;
	if (!row)
		return;
	row->open = 0;
	for (uint32_t i = 0; i < stack->depth; i++)
		row->open += stack->entries[i].row == row;
}

static bool replace_hook(struct routine_stack *stack, uint64_t frame)
{
	routine_late_forget_hook(stack);
	routine_stack_take(stack, frame);
	if (stack->late_count)
		routine_late_count(stack);
	return true;
}

__attribute__((noinline)) bool routine_late_take_left(struct routine_stack *stack, uint64_t frame)
{
	return is_left(stack, frame) && replace_hook(stack, frame);
}

__attribute__((noinline)) bool routine_late_take(struct routine_stack *stack, uint64_t frame,
						 uint64_t late)
{
	if (routine_late_take_left(stack, frame))
		return true;
	if (remember(stack, late))
		return false;
	note_once(NOTE_CALLS_LEFT, ROUTINE_LATE_MOST);
	return replace_hook(stack, frame);
}
