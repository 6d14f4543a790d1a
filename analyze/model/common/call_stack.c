/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/call_stack.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/runtime_code.h"

#include <stdlib.h>
#include <string.h>

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

/* Of what lies between the program's call and the routine that it meant: the profiler's wrappers.
 * Where a call path ends in them, one frame says so. */
static bool passes_on(const struct call_stack *stack, const struct names *names,
		      const struct frame *frame)
{
	return stack->count && names_routine(names, frame->routine)->is_profiler;
}

static void push(struct call_stack *stack, const struct frame *frame)
{
	stack->frames =
		memory_grow(stack->frames, stack->count, &stack->capacity, sizeof *stack->frames);
	stack->frames[stack->count++] = *frame;
}

/* What the C library does within its own call for a lock is that call. */
static void fold_lock_call(struct call_stack *stack, const struct names *names)
{
	bool is_asleep = false, is_waking = false;

	for (size_t i = 0; i < stack->count; i++) {
		const struct routine *routine = names_routine(names, stack->frames[i].routine);

		if (!routine->is_libc)
			return;
		is_asleep |= runtime_is_lock_wait(routine->name);
		is_waking |= runtime_is_lock_wake(routine->name);
	}
	stack->is_asleep |= is_asleep;
	stack->is_waking |= is_waking;
	stack->count = 0;
}

/* The profiler waits for mutexes with a time limit, to notice what happens meanwhile; the program
 * has called the plain form. (A program that calls the one with a limit is told so, too.) */
#define MADE  "pthread_mutex_clocklock"
#define MEANT "pthread_mutex_lock"

/* Names the call that the program made, where the profiler has passed it on. */
static void name_as_called(struct names *names, struct frame *frame)
{
	const struct routine *routine = names_routine(names, frame->routine);
	const char *path = routine->file;

	if (strncmp(routine->name + strspn(routine->name, "_"), MADE, strlen(MADE)))
		return;
	/* the two are neighbours */
	char *file =
		path ? memory_print("%.*s" MEANT ".c", (int)(runtime_base_name(path) - path), path)
		     : NULL;

	*frame = (struct frame){.routine = names_number(names, MEANT, routine->module, file)};
	free(file);
}

static void add_frames(struct call_stack *stack, struct names *names, const struct frame *frames,
		       size_t count, bool *is_inside)
{
	for (size_t i = 0; i < count; i++) {
		stack->is_parallel |= names_routine(names, frames[i].routine)->is_parallel;
		bool is_passed_on = passes_on(stack, names, &frames[i]);

		if (is_passed_on)
			name_as_called(names, &stack->frames[stack->count - 1]);
		if (is_between(names, &frames[i], is_inside) || is_passed_on)
			continue;
		if (names_routine(names, frames[i].routine)->is_lock_call)
			fold_lock_call(stack, names);
		stack->is_python |= names_routine(names, frames[i].routine)->is_python;
		push(stack, &frames[i]);
	}
}

/* What the interpreter does for functions of Python is these functions: it carries out their code.
 */
static void leave_out_interpreter(struct call_stack *stack, const struct names *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < stack->count; i++)
		if (!names_routine(names, stack->frames[i].routine)->is_interpreter)
			stack->frames[kept++] = stack->frames[i];
	stack->count = kept;
}

void call_stack_read(struct call_stack *stack, struct names *names, const struct profile *profile,
		     size_t callpath)
{
	bool is_inside = true;
	const struct frame *frames;
	size_t count = names_end_frames(names, profile, callpath, &frames);

	stack->count = 0;
	stack->is_parallel = stack->is_asleep = stack->is_waking = stack->is_python = false;
	add_frames(stack, names, frames, count, &is_inside);
	for (size_t at = callpath; at; at = profile->callpaths.rows[at].parent) {
		count = names_frames(names, profile, at, &frames);
		add_frames(stack, names, frames, count, &is_inside);
	}
	if (stack->is_python)
		leave_out_interpreter(stack, names);
}

void call_stack_clear(struct call_stack *stack)
{
	free(stack->frames);
	*stack = (struct call_stack){0};
}
