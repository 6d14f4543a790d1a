/* SPDX-License-Identifier: MIT */
/* The instrumented calls of a thread that are under way, and what they add to the table `calls`.
 *
 * Context: own thread. A signal handler may interrupt any function here, and call it again: then
 * the call is remembered, and counted by the function that was interrupted. If that one never goes
 * on, or makes no progress, the calls count as well (routine_late.c). errno is never changed.
 * Memory: 512 KiB of address space for a thread that makes such calls, of which it touches as
 * much as its calls are deep. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/tsc_clock.h"
#include "preload/calls/routine_rows.h"
#include "preload/stacks/unwind.h"

enum {
	ROUTINE_DEPTH_MOST = 8192, /* deeper calls are counted, but not timed */
	ROUTINE_LATE_MOST = 16,    /* calls of a signal handler that can be remembered */
};

struct routine_stack;

/* A call, as the hook sees it. */
struct routine_call {
	uint64_t routine; /* its address */
	uint64_t site;    /* return address of the frame that it is in */
	uint64_t frame;   /* of the hook */
	uint64_t back;    /* where the hook returns to */
	bool is_tail;     /* of an end: the hook was called when the frame was gone already */
};

/* A thread begins: nothing is under way. *stack: of its record, NULL at first, and kept for the
 * record's next thread. owner: row of the thread; own: the bounds of its stack; starter: the row of
 * `callpaths` of the routine that created it, since_ns ago; 0: none. */
void routine_stack_begin(struct routine_stack **stack, uint32_t owner, struct unwind_stack own,
			 uint32_t starter, uint64_t since_ns);

/* The first instrumented call of the thread: makes *stack if it is NULL. False: there is no memory.
 */
bool routine_stack_make(struct routine_stack **stack, uint32_t owner, struct unwind_stack own);

/* All calls are over, and the thread is. */
void routine_stack_end(struct routine_stack *stack, uint64_t now_ns);

/* Adds the time of calls under way, as far as it was not added yet. Signal handlers. */
void routine_stack_settle(struct routine_stack *stack, uint64_t now_ns);
void routine_stack_settle_now_and_then(struct routine_stack *stack, uint64_t now_ns);

/* The thread waited for the tool for so long: no part of its life, nor of calls under way. */
void routine_stack_leave_out(struct routine_stack *stack, uint64_t ns);

/* level: threads on a processor. */
void routine_stack_enter(struct routine_stack *stack, const struct routine_call *call,
			 uint32_t level);
void routine_stack_leave(struct routine_stack *stack, const struct routine_call *call);

/* A call of which the begin only is told, by a hook with that return address, which lies at `frame`
 * (-pg: mcount; -mfentry). It is counted, and has no time; but not if the routine turns out to have
 * the hooks above as well. The quick one changes general registers only, and returns false if the
 * other one is to be called after it, with the same arguments. */
bool routine_stack_begun_quickly(struct routine_stack *stack, uint64_t place, uint64_t frame);
void routine_stack_begun(struct routine_stack *stack, uint64_t place, uint64_t frame);

/* The thread is about to jump: its stack pointer will be `sp`; 0: not known. */
void routine_stack_jump(struct routine_stack *stack, uint64_t sp);

/* The innermost routine under way, as a row of `callpaths`; 0: none. */
uint32_t routine_stack_innermost(const struct routine_stack *stack);
