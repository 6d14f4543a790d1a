/* SPDX-License-Identifier: MIT */
#include "analyze/model/call_stack.h"

#include "analyze/memory.h"

#include <stdlib.h>

/* is_inside: all frames so far were machinery. */
static bool is_between(const struct names *names, const struct frame *frame, bool *is_inside)
{
	bool is_machinery = names_routine(names, frame->routine)->is_machinery;

	*is_inside &= is_machinery;
	return is_machinery && !*is_inside;
}

static void push(struct call_stack *stack, const struct frame *frame)
{
	stack->frames =
		memory_grow(stack->frames, stack->count, &stack->capacity, sizeof *stack->frames);
	stack->frames[stack->count++] = *frame;
}

void call_stack_read(struct call_stack *stack, struct names *names, const struct profile *profile,
		     size_t callpath)
{
	bool is_inside = true;

	stack->count = 0;
	for (size_t at = callpath; at; at = profile->callpaths.rows[at].parent) {
		const struct frame *frames;
		size_t count = names_frames(names, profile, at, &frames);

		for (size_t i = 0; i < count; i++)
			if (!is_between(names, &frames[i], &is_inside))
				push(stack, &frames[i]);
	}
}

void call_stack_clear(struct call_stack *stack)
{
	free(stack->frames);
	*stack = (struct call_stack){0};
}
