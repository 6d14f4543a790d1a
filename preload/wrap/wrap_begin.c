/* SPDX-License-Identifier: MIT */
/* What the entries of begin_door_ARCH call. They are called where a routine begins (-pg, -mfentry),
 * with its arguments in all kinds of registers; so this is compiled for general registers only
 * (Makefile), and what may use others is in wrap_begin_new.c. */
#include "preload/life/lifecycle.h"
#include "preload/process/real.h"

bool begin_hook(uint64_t place, uint64_t frame);

/* place: where the hook returns to; frame: where that lies on the stack. False: begin_hook_new is
 * to be called, with the other registers saved. */
bool begin_hook(uint64_t place, uint64_t frame)
{
	struct thread *thread = thread_self;

	if (likely(thread && thread->calls))
		return routine_stack_begun_quickly(thread->calls, place, frame);
	if (thread)
		return thread->has_no_calls;
	/* not ready: in the middle of what makes the library so, or of the loader's work */
	return thread_is_unobserved || !real.is_ready;
}
