/* SPDX-License-Identifier: MIT */
#include "preload/life/thread_calls.h"

#include "preload/file/note.h"

struct routine_stack *thread_calls_first(void)
{
	struct thread *thread = thread_or_adopt();

	if (!thread || !thread->row || thread->has_no_calls)
		return NULL;
	if (!routine_stack_make(&thread->calls, thread->number, thread->stack)) {
		thread->has_no_calls = true; /* to try again takes a system call each time */
		note_once(NOTE_CALLS_NO_MEMORY, 0);
	}
	return thread->calls;
}
