/* SPDX-License-Identifier: MIT */
/* Call stacks of optimised code, without frame pointers, in any context.
 *
 * Each place in the code is looked up once (cfi.h); its rule is then kept in a cache of the
 * process, so that a step costs a few nanoseconds. Lock-free, allocation-free, safe in signal
 * handlers and after fork. A stack is only read where it is certain to be mapped: between the stack
 * pointer and the thread's outermost frame, or page by page after asking the kernel (stacks of
 * coroutines, alternate signal stacks). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"

/* A place in a call stack: a return address, or, with UNWIND_EXACT, the very instruction that was
 * interrupted. */
#define UNWIND_EXACT (UINT64_C(1) << 63)

enum {
	UNWIND_LOOK_DEPTH = 4096,
	UNWIND_DEPTH = 256,    /* deeper stacks lose their outer frames */
	UNWIND_SLOTS = 2 * 48, /* what unwind_check can verify by itself: of most stacks */
	UNWIND_SLOTS_MORE = 2 * UNWIND_DEPTH - UNWIND_SLOTS, /* and of all others */
};

/* Where to begin: registers of a frame. `registers` has all of them (enum in arch.h), or is NULL.
 */
struct unwind_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
	const uint64_t *registers;
	bool is_exact; /* pc is not a return address */
};

/* The thread's own stack: from low to its outermost frame. Nothing of another mapping may lie
 * between the two: where the stack begins is not known for certain, low lies above that. Both 0:
 * not known. */
struct unwind_stack {
	uint64_t low, high;
};

/* A word of the stack that the walk depended on. */
struct unwind_slot {
	uint64_t address, value;
};

struct unwind_slots {
	uint32_t count;           /* UINT32_MAX: too many, or not on the thread's own stack */
	bool needs_fp;            /* the walk depended on the frame pointer that it began with */
	struct unwind_slot *more; /* UNWIND_SLOTS_MORE further ones, elsewhere; NULL: none */
	struct unwind_slot slot[UNWIND_SLOTS];
};

struct unwind_path {
	uint32_t count;
	bool is_truncated;            /* it does not begin at the thread's outermost frame */
	uint64_t place[UNWIND_DEPTH]; /* innermost first */
};

/* Start-up. Frames of the range of code [begin, end) are where threads start: neither they nor what
 * called them is shown. */
void unwind_start(uint64_t thread_begin, uint64_t thread_end);

/* slots may be NULL. */
void unwind_walk(const struct unwind_frame *frame, const struct unwind_stack *stack,
		 struct unwind_path *path, struct unwind_slots *slots);

/* Whether that address can be read: asks the kernel. */
bool unwind_may_read(uint64_t address);

/* What is sought on a stack, and what was found. */
struct unwind_look {
	uint64_t sp,
		caller; /* of a frame: its stack pointer, and where it is come back to (0: any) */
	bool has_frame; /* it is there */
	bool has_own;   /* code of this tool is there; not looked for beyond that frame */
	bool is_past;   /* it is not: the stack was seen beyond where it would lie */
	bool is_whole;  /* the stack was seen up to its outermost frame */
};

/* Nothing is kept but the answer, so that a walk that was interrupted is not disturbed. The first
 * frame is not the one that is sought: nothing was called from it. */
void unwind_look(const struct unwind_frame *frame, const struct unwind_stack *stack,
		 struct unwind_look *look);

static inline bool unwind_are_same(const struct unwind_slot *slots, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (*(volatile uint64_t *)slots[i].address != slots[i].value)
			return false;
	return true;
}

/* True when every word that a walk depended on still has its value: then, begun at the same
 * registers (the frame pointer only if `needs_fp`), the walk would give the same path. About 1 ns a
 * frame. */
static inline bool unwind_check(const struct unwind_slots *slots)
{
	if (likely(slots->count <= UNWIND_SLOTS))
		return unwind_are_same(slots->slot, slots->count);
	return slots->count <= UNWIND_SLOTS + UNWIND_SLOTS_MORE &&
	       unwind_are_same(slots->slot, UNWIND_SLOTS) &&
	       unwind_are_same(slots->more, slots->count - UNWIND_SLOTS);
}
