/* SPDX-License-Identifier: MIT */
/* The calls of begin_door_ARCH for which wrap_begin.c is too simple: a thread's first one, the
 * first one of a routine, and those that a signal handler makes in the middle of another. */
#include "preload/calls/routine_stack.h"
#include "preload/life/thread_calls.h"

void begin_hook_new(uint64_t place, uint64_t frame);

void begin_hook_new(uint64_t place, uint64_t frame)
{
	struct routine_stack *stack = thread_calls();

	if (stack)
		routine_stack_begun(stack, place, frame);
}
