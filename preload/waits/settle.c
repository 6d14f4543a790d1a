/* SPDX-License-Identifier: MIT */
#include "preload/waits/settle.h"

#include "preload/sections/section_stack.h"
#include "preload/stacks/callpath.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/blame.h"
#include "preload/waits/held_io.h"
#include "preload/waits/wait_rows.h"

enum {
	WORD_NS = 1000, /* a recorded release: a part of it, but while others wait for the lock */
	CONDITION_NS = 8000, /* a wait for a condition, besides that of a lock */
	LOOK_NS = 5000,      /* time to check what a condition stands for */
};

bool settle_is_futile(const struct thread *thread, const struct open_wait *wait)
{
	return thread->last_condition == (uint64_t)wait->address &&
	       thread->last_condition_unlocks == thread->unlocks &&
	       thread->last_condition_signals == thread->signals &&
	       wait->start_ns - thread->last_woken_ns < LOOK_NS;
}

void settle_woken(struct thread *thread, const struct open_wait *wait, bool is_signalled)
{
	thread->last_condition = is_signalled ? (uint64_t)wait->address : 0;
	thread->last_condition_unlocks = thread->unlocks;
	thread->last_condition_signals = thread->signals;
}

/* What it cost to record the releases while it waited. */
static uint64_t cost_of_words(const struct thread *thread)
{
	const struct hold_view *before = &thread->before, *after = &thread->after;

	return before->is_known && after->is_known ? WORD_NS * (after->count - before->count) : 0;
}

static void settle_condition(struct thread *thread, const struct open_wait *wait,
			     struct row_waits *row, uint64_t end_ns, enum outcome outcome)
{
	uint64_t reacquire_ns, words_ns = cost_of_words(thread), ns = end_ns - wait->start_ns;

	row->futile += settle_is_futile(thread, wait);
	settle_woken(thread, wait, false);
	if (outcome != OUTCOME_DONE) {
		blame_nobody(thread, wait, end_ns, outcome == OUTCOME_TIMEOUT);
		return;
	}
	wait_rate_settle(&thread->rate);
	enum waking waking = blame_signaller(thread, wait, end_ns, &reacquire_ns);
	row->reacquire_ns += reacquire_ns;
	row->spurious += waking == WAKING_SPURIOUS;
	row->left_out += waking == WAKING_UNSEEN;
	settle_woken(thread, wait, waking != WAKING_SPURIOUS);
	wait_rate_measured(&thread->rate, wait->key, row, ns, end_ns, words_ns + CONDITION_NS);
	wait_rate_woken(&thread->rate, wait->key, ns, reacquire_ns);
}

/* One that stands for others. */
static void settle_rated(struct thread *thread, const struct open_wait *wait, struct row_waits *row,
			 uint64_t end_ns, bool is_done)
{
	wait_rate_settle(&thread->rate);
	blame_holders(thread, wait, end_ns, !is_done);
	if (is_done && !wait->is_quick)
		wait_rate_measured(&thread->rate, wait->key, row, end_ns - wait->start_ns, end_ns,
				   cost_of_words(thread));
}

/* A wait that was only timed, and was left by a jump, has its row already. */
static struct row_waits *row_of(struct thread *thread, struct open_wait *wait)
{
	struct row_waits *row = wait->is_quick ? thread->quick_row : NULL;

	if (!row)
		return wait_rows_find(thread, wait);
	wait->row_object = row->object;
	return row;
}

/* Somebody is charged with it. */
static bool is_for_threads(const struct open_wait *wait)
{
	const unsigned for_threads = CAUSES_OF_LOCKS | 1u << CAUSE_CONDITION | 1u << CAUSE_BARRIER |
				     1u << CAUSE_SEMAPHORE | 1u << CAUSE_ONCE | 1u << CAUSE_FUTEX |
				     1u << CAUSE_JOIN;

	return for_threads >> wait->cause & 1;
}

/* Others may wait meanwhile for a lock that the thread has. */
static void note_held(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		      enum outcome outcome)
{
	bool takes_lock = cause_is_lock(wait->cause) || wait->cause == CAUSE_CONDITION;
	uint64_t what = hold_what(wait->path, wait->row_object, wait->operation);

	if (is_for_threads(wait) && outcome != OUTCOME_ABANDONED)
		held_io_add(thread, wait->start_ns, end_ns, what | HOLD_FOR_THREADS,
			    takes_lock ? held_io_lock(wait) : NULL);
	if (takes_lock)
		held_io_waited(thread, wait);
}

/* The part of a wait of that length that this thread charges: of a join what the joined thread has
 * not charged, which does so no more. */
static uint64_t to_charge(const struct open_wait *wait, uint64_t ns)
{
	if (!is_for_threads(wait))
		return 0;
	if (wait->cause != CAUSE_JOIN || !wait->target)
		return ns;
	__atomic_store_n(&wait->target->joined_since_ns, 0, __ATOMIC_RELAXED);
	return ns > wait->target->join_charged_ns ? ns - wait->target->join_charged_ns : 0;
}

static void tell_section(struct thread *thread, const struct open_wait *wait,
			 const struct row_waits *row, uint64_t end_ns)
{
	section_stack_waited(thread, &(struct section_wait){
					     .ns = end_ns - wait->start_ns,
					     .path = wait->path,
					     .object = row ? row->object : 0,
					     .cause = wait->cause,
					     .operation = wait->operation,
				     });
}

bool settle_wait(struct thread *thread, struct open_wait *wait, uint64_t end_ns,
		 enum outcome outcome)
{
	struct row_waits *row = row_of(thread, wait);
	bool is_done = outcome == OUTCOME_DONE;

	thread->waited_ns[wait->cause] += end_ns - wait->start_ns;
	if (unlikely(thread->sections))
		tell_section(thread, wait, row, end_ns);
	note_held(thread, wait, end_ns, outcome);
	if (!row)
		return false;
	wait_rows_add(thread, row, end_ns - wait->start_ns,
		      to_charge(wait, end_ns - wait->start_ns), outcome);
	switch (wait->cause) {
	case CAUSE_MUTEX:
	case CAUSE_SPINLOCK:
		settle_rated(thread, wait, row, end_ns, is_done);
		break;
	case CAUSE_RWLOCK:
		blame_holders(thread, wait, end_ns, !is_done);
		break;
	case CAUSE_CONDITION:
		settle_condition(thread, wait, row, end_ns, outcome);
		break;
	case CAUSE_BARRIER:
		blame_first(thread, wait, end_ns);
		break;
	case CAUSE_SEMAPHORE:
	case CAUSE_ONCE:
	case CAUSE_FUTEX:
		if (is_done && wait->cause == CAUSE_SEMAPHORE)
			settle_rated(thread, wait, row, end_ns, true);
		else if (is_done)
			blame_holders(thread, wait, end_ns, false);
		else
			blame_nobody(thread, wait, end_ns, outcome == OUTCOME_TIMEOUT);
		break;
	default:
		break; /* sleep, child, signal: not charged; join: see settle_join */
	}
	return true;
}

void settle_lost(struct thread *thread)
{
	struct owed *owed = &thread->owed;

	if (unlikely(owed->ns) && owed->row && owed->row->sum_ns >= owed->ns)
		owed_change(owed, &owed->row->sum_ns, -owed->ns, 0);
	owed->ns = 0;
}

void settle_left(struct thread *thread)
{
	struct owed *owed = &thread->owed;
	const struct row_waits *row = owed->row;

	owed_finish(owed);
	if (owed->ns && row)
		blame_charge(thread, callpath_mark(MARK_UNKNOWN_HOLDER), row->object,
			     (enum cause)row->cause, (enum operation)row->operation, owed->ns);
	settle_lost(thread);
}

/* Another thread's CPU time up to now, with what it had at its birth; it may have ended. */
static uint64_t cpu_so_far(const struct thread *target, enum outcome outcome)
{
	uint64_t seen_ns = target->cpu_ns + target->birth_cpu_ns;
	uint64_t now_ns = outcome == OUTCOME_DONE ? 0 : thread_read_other_cpu(target);

	return now_ns > seen_ns ? now_ns : seen_ns;
}

void settle_join(struct thread *thread, enum outcome outcome, uint64_t wait_ns)
{
	const struct open_wait *wait = &thread->wait;
	struct thread *target = wait->target;
	uint16_t row = wait->row_object;
	uint64_t charged_ns = 0, run_ns = 0;

	if (target) {
		__atomic_store_n(&target->joined_since_ns, 0, __ATOMIC_RELAXED);
		charged_ns = target->join_charged_ns;
		uint64_t end_cpu_ns = cpu_so_far(target, outcome);
		if (wait->target_cpu_ns && end_cpu_ns > wait->target_cpu_ns)
			run_ns = end_cpu_ns - wait->target_cpu_ns;
	}
	run_ns = run_ns < wait_ns ? run_ns : wait_ns;
	if (run_ns > charged_ns)
		blame_charge(thread, target->start_path, row, CAUSE_JOIN, wait->operation,
			     run_ns - charged_ns);
	else
		run_ns = charged_ns;
	if (wait_ns > run_ns)
		blame_charge(thread, callpath_mark(MARK_THREAD_WAITING), row, CAUSE_JOIN,
			     wait->operation, wait_ns - run_ns);
}
