/* SPDX-License-Identifier: MIT */
/* The frames of a whole call path as a user knows them: inlined routines are frames of their own,
 * and what stands between an OpenMP region and its body is left out.
 *
 * Neither the wrapper nor the runtime has called anything of its own there; where a call path ends
 * in such code, or in the C library called by it (it waits, or makes a team), it stays. Context:
 * pure but for names. */
#pragma once

#include "analyze/model/common/names.h"

struct call_stack {
	struct frame *frames; /* innermost first */
	size_t count, capacity;
};

/* Replaces what the stack held; begin with a zeroed one. No frames: call path 0. */
void call_stack_read(struct call_stack *stack, struct names *names, const struct profile *profile,
		     size_t callpath);
void call_stack_clear(struct call_stack *stack);
