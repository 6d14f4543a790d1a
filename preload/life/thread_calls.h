/* SPDX-License-Identifier: MIT */
/* The instrumented calls of the calling thread, for the hooks that tell them. Context: any, also
 * before start-up and in a fork child that is asleep, which it wakes: its calls are to be counted.
 */
#pragma once

#include "preload/life/lifecycle.h"

__attribute__((noinline)) struct routine_stack *thread_calls_first(void);

/* NULL: the thread is not observed. */
static inline struct routine_stack *thread_calls(void)
{
	struct thread *thread = thread_self;

	return likely(thread && thread->calls) ? thread->calls : thread_calls_first();
}
