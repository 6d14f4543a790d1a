/* SPDX-License-Identifier: MIT */
#include "preload/life/thread_calls.h"

struct routine_stack *thread_calls_first(void)
{
	struct thread *thread = thread_or_adopt();

	if (!thread || !thread->row ||
	    !routine_stack_make(&thread->calls, thread->number, thread->stack))
		return NULL;
	return thread->calls;
}
