/* SPDX-License-Identifier: MIT */
/* What the two files of routine_stack share: calls that have an end (routine_stack.c), and those of
 * which the begin only is told (routine_begun.c, which may use general registers only: so what it
 * calls is inline here). */
#pragma once

#include "preload/calls/routine_stack.h"

struct entry {
	uint64_t routine, site, frame;
	uint64_t start_ns; /* or until when its time was added already */
	uint64_t callees_ns;
	struct row_calls *row;
	bool is_outermost; /* of a recursion */
};

/* The latest begin by -pg. A routine that has the hooks of -finstrument-functions as well calls
 * these next. */
struct begun_call {
	struct row_calls *row; /* NULL: none, or none that counts */
	uint64_t place, frame; /* the hook's return address, and where it lies */
	bool is_sequential;
};

struct routine_stack {
	uint64_t busy; /* frame of the hook that is at work; 0: none is */
	uint32_t depth;
	uint32_t late_count; /* calls that a signal handler made meanwhile */
	uint32_t late_done;  /* of them those that were counted */
	uint64_t beyond;     /* calls under way that have no entry */
	struct begun_call begun;
	const uint32_t *level; /* threads on a processor; 0: one */
	struct tsc_clock clock;
	struct unwind_stack own;
	uint64_t settled_ns;
	struct row_calls *at_work; /* whose `open` a hook was about to change last */
	struct row_calls *starter; /* NULL: no instrumented routine created the thread */
	uint64_t starter_since_ns;
	struct routine_rows rows;
	uint64_t late[ROUTINE_LATE_MOST];
	struct entry entries[ROUTINE_DEPTH_MOST];
};

static inline bool routine_stack_take(struct routine_stack *stack, uint64_t frame)
{
	if (unlikely(stack->busy))
		return false;
	stack->busy = frame;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

static inline void routine_stack_count_begun(struct routine_stack *stack, struct row_calls *row,
					     uint64_t place, uint64_t frame)
{
	if (row == &stack->rows.nowhere) { /* mostly one that is ignored */
		stack->begun.row = NULL;
		return;
	}
	bool is_sequential = __atomic_load_n(stack->level, __ATOMIC_RELAXED) <= 1;
	row->count++;
	row->untimed++;
	row->sequential += is_sequential;
	stack->begun = (struct begun_call){row, place, frame, is_sequential};
}
