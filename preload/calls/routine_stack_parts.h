/* SPDX-License-Identifier: MIT */
/* What the files of routine_stack share: calls that have an end (routine_stack.c), those of which
 * the begin only is told (routine_begun.c, which may use general registers only: so what it calls
 * is inline here), and calls in the middle of a hook (routine_late.c). */
#pragma once

#include "preload/base/interrupted.h"
#include "preload/calls/routine_stack.h"

/* In the list of late calls: not a routine, but where the hook of a begun call returns to. */
#define LATE_BEGUN (1ull << 63)
/* In `busy`, as frames are aligned: the hook has counted its call, and has late ones to count. */
#define BEGUN_COUNTED 1ull

struct entry {
	uint64_t routine, site, frame;
	uint64_t start_ns; /* or until when its time was added already */
	uint64_t callees_ns;
	uint64_t total_before_ns; /* of the row, until start_ns */
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
	uint64_t busy;       /* frame of the hook that is at work; 0: none is */
	uint32_t depth;      /* atomic: hooks that were interrupted, and taken for left */
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
	interrupted_fence();
	return true;
}

/* ---- routine_late.c ---- */

/* A hook is at work already: false if this one is of its handler, which is then remembered as
 * `late`; else this one is at work now. */
bool routine_late_take(struct routine_stack *stack, uint64_t frame, uint64_t late);

/* The same, and nothing is remembered. */
bool routine_late_take_left(struct routine_stack *stack, uint64_t frame);

/* The hook that is at work never goes on: what it was doing is made whole. */
void routine_late_forget_hook(struct routine_stack *stack);

/* Counts what is remembered. */
void routine_late_count(struct routine_stack *stack);

/* The call was counted with `row`: if the latest begun call is the same one, it counts no more. */
void routine_late_count_once(struct routine_stack *stack, const struct row_calls *row,
			     const struct routine_call *call);

/* ---- all ---- */

static inline bool routine_stack_is_own(const struct routine_stack *stack, uint64_t address)
{
	return address >= stack->own.low && address < stack->own.high;
}

/* frame: as it was taken. If another one is at work meanwhile, that one goes on. */
static inline void routine_stack_let_go(struct routine_stack *stack, uint64_t frame)
{
	interrupted_fence();
	if (unlikely(stack->late_count))
		routine_late_count(stack);
	if (likely(stack->busy == frame))
		stack->busy = 0;
}

static inline bool routine_stack_is_alone(const struct routine_stack *stack)
{
	return __atomic_load_n(stack->level, __ATOMIC_RELAXED) <= 1;
}

/* A handler may leave this anywhere: so what is a part of the calls is counted before them, and the
 * reader takes a part that exceeds the whole for the whole. */
static inline void routine_stack_count(struct row_calls *row, bool is_untimed, bool is_sequential)
{
	row->untimed += is_untimed;
	row->sequential += is_sequential;
	interrupted_fence();
	row->count++;
}

static inline void routine_stack_count_begun(struct routine_stack *stack, struct row_calls *row,
					     uint64_t place, uint64_t frame)
{
	if (row == &stack->rows.nowhere) { /* mostly one that is ignored */
		stack->begun.row = NULL;
		return;
	}
	bool is_sequential = routine_stack_is_alone(stack);
	routine_stack_count(row, true, is_sequential);
	stack->begun = (struct begun_call){row, place, frame, is_sequential};
}
