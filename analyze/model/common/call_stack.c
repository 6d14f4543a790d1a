/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/call_stack.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"

#include <stdlib.h>

/* Of the C library or another library that runtime_is_code knows: an OpenMP runtime that waits
 * calls sched_yield. */
static bool is_system_code(const struct routine *routine)
{
	return runtime_is_code(routine->module, "", NULL);
}

/* is_inside: no frame so far belonged to the program. */
static bool is_between(const struct names *names, const struct frame *frame, bool *is_inside)
{
	const struct routine *routine = names_routine(names, frame->routine);

	*is_inside &= routine->is_machinery || is_system_code(routine);
	return routine->is_machinery && !*is_inside;
}

static void push(struct call_stack *stack, const struct frame *frame)
{
	stack->frames =
		memory_grow(stack->frames, stack->count, &stack->capacity, sizeof *stack->frames);
	stack->frames[stack->count++] = *frame;
}

static void add_frames(struct call_stack *stack, const struct names *names,
		       const struct frame *frames, size_t count, bool *is_inside)
{
	for (size_t i = 0; i < count; i++) {
		stack->is_parallel |= names_routine(names, frames[i].routine)->is_parallel;
		if (!is_between(names, &frames[i], is_inside))
			push(stack, &frames[i]);
	}
}

void call_stack_read(struct call_stack *stack, struct names *names, const struct profile *profile,
		     size_t callpath)
{
	bool is_inside = true;
	const struct frame *frames;
	size_t count = names_end_frames(names, profile, callpath, &frames);

	stack->count = 0;
	stack->is_parallel = false;
	add_frames(stack, names, frames, count, &is_inside);
	for (size_t at = callpath; at; at = profile->callpaths.rows[at].parent) {
		count = names_frames(names, profile, at, &frames);
		add_frames(stack, names, frames, count, &is_inside);
	}
}

void call_stack_clear(struct call_stack *stack)
{
	free(stack->frames);
	*stack = (struct call_stack){0};
}
