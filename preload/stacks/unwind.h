/* SPDX-License-Identifier: MIT */
/* Call stacks of optimised code, without frame pointers, in any context.
 *
 * Each place in the code is looked up once (cfi.h); its rule is cached for the process, so that a
 * step costs a few nanoseconds. Lock-free, allocation-free, safe in signal handlers and after fork.
 * A stack is only read where it is certainly mapped: between the stack pointer and the thread's
 * outermost frame, or page by page after asking the kernel (coroutines, alternate signal
 * stacks). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"

/* In a place (callpath.h): it is the instruction that was interrupted or begins a routine, not a
 * return address. */
#define UNWIND_EXACT (UINT64_C(1) << 63)

enum {
	UNWIND_LOOK_DEPTH = 4096,
	UNWIND_DEPTH = 256,    /* deeper stacks lose their outer frames */
	UNWIND_SLOTS = 2 * 48, /* kept in the struct itself: enough for most stacks */
	UNWIND_SLOTS_MORE = 2 * UNWIND_DEPTH - UNWIND_SLOTS, /* and of all others */
};

/* Where to begin: the registers of a frame. `registers` has all of them, numbered as in arch.h; or
 * NULL. */
struct unwind_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
	const uint64_t *registers;
	bool is_exact; /* pc is not a return address */
};

/* The thread's own stack, from low to its outermost frame, which must be one mapping: if the lowest
 * address is not certain, low lies above it. Both 0: not known. */
struct unwind_stack {
	uint64_t low, high;
};

/* A word of the stack that a walk depended on. */
struct unwind_slot {
	uint64_t address, value;
};

struct unwind_slots {
	uint32_t count;           /* UINT32_MAX: too many, or some not on the thread's own stack */
	bool needs_fp;            /* the walk depended on the frame pointer that it began with */
	bool lacks_more;          /* they were too many because there is no `more` */
	struct unwind_slot *more; /* UNWIND_SLOTS_MORE further ones; NULL: none */
	struct unwind_slot slot[UNWIND_SLOTS];
};

struct unwind_path {
	uint32_t count;
	bool is_truncated; /* it does not begin at the thread's outermost frame */
	/* where the frames lie: frame i from low[i] to below low[i + 1]; UNWIND_DEPTH + 1, or NULL:
	 * not wanted */
	uint64_t *low;
	void *room;                   /* of who completes paths (python_walk.c); NULL: none yet */
	uint64_t place[UNWIND_DEPTH]; /* innermost first */
};

/* Start-up. Code in [begin, end) is where threads start: paths leave out its frames and what called
 * them. */
void unwind_start(uint64_t thread_begin, uint64_t thread_end);

/* slots may be NULL. */
void unwind_walk(const struct unwind_frame *frame, const struct unwind_stack *stack,
		 struct unwind_path *path, struct unwind_slots *slots);

/* Whether the word at that address can be read: asks the kernel. */
bool unwind_may_read(uint64_t address);

/* What is sought on a stack, and what was found. */
struct unwind_look {
	uint64_t sp, caller; /* of a frame: stack pointer and return address (0: any) */
	bool has_frame;      /* it is there */
	bool has_own;        /* code of this tool is on the stack; not searched beyond that frame */
	bool is_past;        /* it is not there: the walk got past its place */
	bool is_whole;       /* the walk got to the outermost frame */
};

/* Only the answer is kept, so that a walk that was interrupted is not disturbed. The first frame is
 * never the one sought: nothing was called from it. */
void unwind_look(const struct unwind_frame *frame, const struct unwind_stack *stack,
		 struct unwind_look *look);

static inline bool unwind_are_same(const struct unwind_slot *slots, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (*(volatile uint64_t *)slots[i].address != slots[i].value)
			return false;
	return true;
}

/* True if every word that a walk depended on still has its value: then the same registers (the
 * frame pointer only if `needs_fp`) give the same path. About 1 ns a frame. */
static inline bool unwind_check(const struct unwind_slots *slots)
{
	if (likely(slots->count <= UNWIND_SLOTS))
		return unwind_are_same(slots->slot, slots->count);
	return slots->count <= UNWIND_SLOTS + UNWIND_SLOTS_MORE &&
	       unwind_are_same(slots->slot, UNWIND_SLOTS) &&
	       unwind_are_same(slots->more, slots->count - UNWIND_SLOTS);
}
