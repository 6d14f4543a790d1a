/* SPDX-License-Identifier: MIT */
/* Call stacks of a process that may have an interpreter: calls of CPython's evaluation loop are
 * replaced by the Python frames for which they stand. C routines between Python frames stay. A
 * process without an interpreter pays one branch.
 *
 * What is not found leaves the loop's own frame in its place: of subinterpreters, of code that is
 * not the thread's current state's, and in a sandbox in which no system call may ask what can be
 * read. */
#pragma once

#include "preload/python/python_find.h"
#include "preload/stacks/unwind.h"

void python_walk_both(const struct unwind_frame *frame, const struct unwind_stack *stack,
		      struct unwind_path *path, struct unwind_slots *slots);

/* As unwind_walk. */
static inline void python_walk(const struct unwind_frame *frame, const struct unwind_stack *stack,
			       struct unwind_path *path, struct unwind_slots *slots)
{
	if (python_is_there())
		python_walk_both(frame, stack, path, slots);
	else
		unwind_walk(frame, stack, path, slots);
}

uint64_t python_walk_frames_sum(void);

/* What a walk depends on beside the stack: as long as it is the same, so are the Python frames. 0:
 * there are none. */
static inline uint64_t python_walk_sum(void)
{
	return python_is_there() ? python_walk_frames_sum() : 0;
}
