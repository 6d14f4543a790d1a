/* SPDX-License-Identifier: MIT */
/* The frames of a whole call path as a user knows them: inlined routines are frames of their own;
 * frames of the profiler's wrappers that pass a call on, those of the C library within its calls
 * for locks, those of Python's interpreter in a path that has functions of Python, and the frames
 * between an OpenMP region and its body, are left out.
 *
 * The latter belong to wrappers and to the runtime, which have called nothing of their own there.
 * If a call path ends in the runtime, or in the C library called by it (it waits, or starts a
 * team), its frames stay; if it ends in the profiler, so does one frame NAMES_PROFILER. Context:
 * pure but for names. */
#pragma once

#include "analyze/model/common/names.h"

struct call_stack {
	struct frame *frames; /* innermost first */
	size_t count, capacity;
	bool is_parallel; /* one of all its frames is (names.h), of those left out as well */
	bool is_python;   /* one is a function of Python */
	bool is_asleep;   /* a frame that was left out within a call for a lock goes to sleep, */
	bool is_waking;   /* or wakes others */
};

/* Replaces the contents of the stack; begin with a zeroed one. Call path 0 has no frames. */
void call_stack_read(struct call_stack *stack, struct names *names, const struct profile *profile,
		     size_t callpath);
void call_stack_clear(struct call_stack *stack);
