/* SPDX-License-Identifier: MIT */
#include "preload/base/interrupted.h"
#include "preload/calls/routine_stack_parts.h"

#include "preload/base/pages.h"
#include "preload/concurrency/concurrency.h"
#include "preload/file/note.h"

enum {
	SETTLE_NS = 100000000,
	/* A hook's frame lies at least so much below the stack pointer of the frame that it was
	 * called from: return address and saved frame pointer. */
	HOOK_BYTES = 16,
};

/* ---- entries ---- */

static inline struct entry *top_of(struct routine_stack *stack)
{
	return &stack->entries[stack->depth - 1];
}

static inline uint64_t since(uint64_t start_ns, uint64_t now_ns)
{
	return likely(now_ns > start_ns) ? now_ns - start_ns : 0;
}

/* A handler may jump out of adding time at any instruction: then some may be missing, but none is
 * there twice, and no part without its whole. So a total is set rather than added to (the jump may
 * pop the entry again), and what is the caller's callees' goes before the routine's own time. */
static inline void set_whole(struct routine_stack *stack, struct entry *entry, uint64_t passed_ns)
{
	if (entry->is_outermost)
		entry->row->total_ns = entry->total_before_ns + passed_ns;
	if (entry > stack->entries)
		entry[-1].callees_ns += passed_ns;
	interrupted_fence();
}

static inline void add_self(struct entry *entry, uint64_t passed_ns)
{
	entry->row->self_ns += since(entry->callees_ns, passed_ns);
}

/* The entry goes as soon as the whole is known: if a handler jumps out of the rest, it is not
 * popped again. The depth is read once: if another hook is taken for the only one meanwhile
 * (routine_late.c), it may be off by one, but never be out of bounds. */
static inline void pop(struct routine_stack *stack, uint64_t now_ns)
{
	uint32_t depth = __atomic_load_n(&stack->depth, __ATOMIC_RELAXED);

	if (unlikely(!depth))
		return;
	struct entry *entry = &stack->entries[depth - 1];
	uint64_t passed_ns = since(entry->start_ns, now_ns);
	stack->at_work = entry->row;
	set_whole(stack, entry, passed_ns);
	__atomic_store_n(&stack->depth, depth - 1, __ATOMIC_RELAXED);
	interrupted_fence();
	add_self(entry, passed_ns);
	if (likely(entry->row->open))
		entry->row->open--;
}

static void pop_down_to(struct routine_stack *stack, uint32_t depth, uint64_t now_ns)
{
	stack->beyond = 0; /* they are deeper than all entries */
	while (stack->depth > depth)
		pop(stack, now_ns);
}

/* Whether a new call shows that an entry is over: its frame cannot be there any more. Of frames on
 * other stacks (coroutines, handlers) nothing is known. */
static bool is_over(const struct routine_stack *stack, const struct entry *entry,
		    const struct routine_call *call)
{
	if (!routine_stack_is_own(stack, entry->frame) || !routine_stack_is_own(stack, call->frame))
		return false;
	return entry->frame < call->frame ||
	       (entry->frame == call->frame && entry->site != call->site);
}

__attribute__((noinline)) static void drop_over(struct routine_stack *stack,
						const struct routine_call *call)
{
	uint32_t depth = stack->depth;

	while (depth && is_over(stack, &stack->entries[depth - 1], call))
		depth--;
	if (depth < stack->depth)
		pop_down_to(stack, depth, tsc_clock_now_ns(&stack->clock));
}

__attribute__((noinline)) static void enter_beyond(struct routine_stack *stack)
{
	stack->beyond++;
	note_once(NOTE_CALLS_DEEP, ROUTINE_DEPTH_MOST);
}

/* The entry counts last: if a handler jumps out of the rest, there is none. */
static inline void push(struct routine_stack *stack, const struct routine_call *call,
			struct row_calls *row, uint32_t depth)
{
	struct entry *entry = &stack->entries[depth];

	stack->at_work = row;
	interrupted_fence();
	entry->routine = call->routine;
	entry->site = call->site;
	entry->frame = call->frame;
	entry->callees_ns = 0;
	entry->row = row;
	entry->total_before_ns = row->total_ns;
	entry->is_outermost = row->open++ == 0;
	entry->start_ns = tsc_clock_now_ns(&stack->clock);
	interrupted_fence();
	__atomic_store_n(&stack->depth, depth + 1, __ATOMIC_RELAXED);
}

void routine_stack_enter(struct routine_stack *stack, const struct routine_call *call,
			 uint32_t level)
{
	if (unlikely(!routine_stack_take(stack, call->frame)) &&
	    !routine_late_take(stack, call->frame, call->routine))
		return;
	struct row_calls *row = routine_rows_find(&stack->rows, call->routine);
	routine_stack_count(row, false, level <= 1);
	if (unlikely(stack->begun.row))
		routine_late_count_once(stack, row, call);
	if (stack->depth && unlikely(call->frame >= top_of(stack)->frame))
		drop_over(stack, call);
	uint32_t depth = __atomic_load_n(&stack->depth, __ATOMIC_RELAXED);
	if (unlikely(depth == ROUTINE_DEPTH_MOST)) {
		row->untimed++;
		enter_beyond(stack);
	} else {
		push(stack, call, row, depth);
	}
	routine_stack_let_go(stack, call->frame);
}

static inline bool is_of(const struct entry *entry, const struct routine_call *call)
{
	return entry->routine == call->routine && entry->site == call->site;
}

/* Of a call deeper than all entries. The frame of a hook that is called last, in place of the
 * return, lies where its caller's hooks have theirs. */
static bool is_beyond(struct routine_stack *stack, const struct routine_call *call)
{
	uint64_t frame = top_of(stack)->frame;

	return stack->beyond && (call->frame < frame || (call->is_tail && call->frame == frame));
}

/* The end of a call that is not the innermost one, or was never seen. */
__attribute__((noinline)) static void leave_other(struct routine_stack *stack,
						  const struct routine_call *call, uint64_t now_ns)
{
	uint32_t depth = stack->depth;

	while (depth && !is_of(&stack->entries[depth - 1], call))
		depth--;
	if (depth)
		pop_down_to(stack, depth - 1, now_ns);
	else
		routine_rows_find(&stack->rows, call->routine)->unmatched++;
}

void routine_stack_leave(struct routine_stack *stack, const struct routine_call *call)
{
	if (unlikely(!routine_stack_take(stack, call->frame)) &&
	    !routine_late_take_left(stack, call->frame))
		return; /* of a handler: its call was counted and not timed */
	uint64_t now_ns = tsc_clock_now_ns(&stack->clock);
	if (unlikely(stack->beyond) && is_beyond(stack, call))
		stack->beyond--;
	else if (likely(stack->depth && !stack->beyond && is_of(top_of(stack), call)))
		pop(stack, now_ns);
	else
		leave_other(stack, call, now_ns);
	routine_stack_let_go(stack, call->frame);
}

void routine_stack_begun(struct routine_stack *stack, uint64_t place, uint64_t frame)
{
	if (stack->busy == (frame | BEGUN_COUNTED)) {
		routine_stack_let_go(stack, frame | BEGUN_COUNTED);
		return;
	}
	if (!routine_stack_take(stack, frame) &&
	    !routine_late_take(stack, frame, place | LATE_BEGUN))
		return;
	routine_stack_count_begun(stack, routine_rows_find_around(&stack->rows, place), place,
				  frame);
	routine_stack_let_go(stack, frame);
}

/* A handler that interrupted a hook may jump out of it: the hook never goes on, and what it was
 * doing is made whole. */
static void free_left_hook(struct routine_stack *stack, uint64_t sp)
{
	if (!stack->busy || !routine_stack_is_own(stack, stack->busy) || sp < stack->busy)
		return;
	routine_late_forget_hook(stack);
}

void routine_stack_jump(struct routine_stack *stack, uint64_t sp)
{
	if (!stack || !routine_stack_is_own(stack, sp))
		return;
	free_left_hook(stack, sp);
	if (!routine_stack_take(stack, sp))
		return;
	uint32_t depth = stack->depth;
	while (depth && !(routine_stack_is_own(stack, stack->entries[depth - 1].frame) &&
			  stack->entries[depth - 1].frame >= sp - HOOK_BYTES))
		depth--;
	if (depth < stack->depth)
		pop_down_to(stack, depth, tsc_clock_now_ns(&stack->clock));
	routine_stack_let_go(stack, sp);
}

uint32_t routine_stack_innermost(const struct routine_stack *stack)
{
	return stack && stack->depth ? stack->entries[stack->depth - 1].row->callpath : 0;
}

/* ---- the thread ---- */

bool routine_stack_make(struct routine_stack **stack, uint32_t owner, struct unwind_stack own)
{
	if (*stack)
		return true;
	struct routine_stack *made = pages_new(sizeof *made);
	if (!made)
		return false;
	routine_rows_prepare(&made->rows, owner);
	made->own = own;
	made->level = concurrency_level_word();
	/* a signal handler may have made one meanwhile: it stays as memory that nothing uses */
	interrupted_fence();
	if (!*stack)
		*stack = made;
	return true;
}

void routine_stack_begin(struct routine_stack **stack, uint32_t owner, struct unwind_stack own,
			 uint32_t starter, uint64_t since_ns)
{
	if (starter)
		routine_stack_make(stack, owner, own);
	struct routine_stack *known = *stack;
	if (!known)
		return;
	known->busy = 0;
	known->depth = known->late_count = 0;
	known->beyond = 0;
	known->begun.row = NULL;
	known->own = own;
	known->settled_ns = since_ns;
	known->clock = (struct tsc_clock){0};
	known->starter = starter ? routine_rows_of_place(&known->rows, starter) : NULL;
	known->starter_since_ns = since_ns;
	if (known->starter)
		known->starter->threads++;
}

static void add_life(struct routine_stack *stack, uint64_t now_ns)
{
	if (!stack->starter || now_ns <= stack->starter_since_ns)
		return;
	stack->starter->started_ns += now_ns - stack->starter_since_ns;
	stack->starter_since_ns = now_ns;
}

void routine_stack_end(struct routine_stack *stack, uint64_t now_ns)
{
	if (!stack)
		return;
	stack->busy = now_ns; /* from here on calls are not timed; destructors make few */
	add_life(stack, now_ns);
	pop_down_to(stack, 0, now_ns);
	routine_stack_let_go(stack, now_ns);
}

void routine_stack_settle(struct routine_stack *stack, uint64_t now_ns)
{
	if (!stack || !routine_stack_take(stack, now_ns))
		return;
	add_life(stack, now_ns);
	/* from the innermost on: its time is added to the caller's callees before the caller is
	 * settled */
	for (uint32_t i = stack->depth; i--;) {
		struct entry *entry = &stack->entries[i];
		uint64_t passed_ns = since(entry->start_ns, now_ns);
		set_whole(stack, entry, passed_ns);
		add_self(entry, passed_ns);
		entry->total_before_ns += passed_ns;
		entry->callees_ns = 0;
		entry->start_ns = now_ns > entry->start_ns ? now_ns : entry->start_ns;
	}
	stack->settled_ns = now_ns;
	routine_stack_let_go(stack, now_ns);
}

/* Each entry begins that much later; where its time was added meanwhile, `since` knows no less
 * than none. */
void routine_stack_leave_out(struct routine_stack *stack, uint64_t ns)
{
	if (!stack || !ns || !routine_stack_take(stack, ns))
		return;
	for (uint32_t i = 0; i < stack->depth; i++)
		stack->entries[i].start_ns += ns;
	stack->starter_since_ns += ns;
	routine_stack_let_go(stack, ns);
}

void routine_stack_settle_now_and_then(struct routine_stack *stack, uint64_t now_ns)
{
	if (stack && now_ns - stack->settled_ns >= SETTLE_NS)
		routine_stack_settle(stack, now_ns);
}
