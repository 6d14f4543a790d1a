/* SPDX-License-Identifier: MIT */
#include "preload/waits/quick_wait.h"

#include "preload/base/interrupted.h"
#include "preload/concurrency/concurrency.h"
#include "preload/sections/section_stack.h"
#include "preload/stacks/callpath.h"
#include "preload/waits/activity.h"
#include "preload/waits/blame.h"
#include "preload/waits/release.h"
#include "preload/waits/settle.h"
#include "preload/waits/wait_rows.h"

/* Of a whole wait that no holder was drawn for. */
static void charge_whole(struct thread *thread, struct row_waits *row, uint32_t path, uint64_t ns)
{
	if (!blame_charge(thread, path, row->object, (enum cause)row->cause,
			  (enum operation)row->operation, ns))
		settle_lost(thread);
}

static void tell_section(struct thread *thread, const struct row_waits *row, uint64_t ns)
{
	section_stack_waited(thread, &(struct section_wait){
					     .ns = ns,
					     .path = row->callpath,
					     .object = row->object,
					     .cause = row->cause,
					     .operation = row->operation,
				     });
}

/* Counts a wait that was only timed; true: it is charged as well, to the holder that was drawn. */
static bool settle(struct thread *thread, struct row_waits *row, struct row_blame *blame,
		   uint64_t ns)
{
	bool is_like = !wait_rate_is_unlike(row, ns);

	thread->waited_ns[row->cause] += ns;
	thread->waited_for.rest++;
	if (unlikely(thread->sections))
		tell_section(thread, row, ns);
	wait_rows_add(thread, row, ns, ns, OUTCOME_DONE);
	row->left_out++;
	if (likely(is_like)) {
		owed_pay(&thread->owed, &blame->time_ns, ns);
		blame->count++;
	}
	return is_like;
}

void quick_wait_settle(struct thread *thread, struct row_waits *row, struct row_blame *blame,
		       uint64_t ns, uint64_t holder)
{
	if (unlikely(!settle(thread, row, blame, ns)))
		charge_whole(thread, row,
			     holder ? callpath_place(holder) : callpath_mark(MARK_UNKNOWN_HOLDER),
			     ns);
}

/* ---- begin ---- */

/* A wait that is not to be measured: the row that counts it, and the one of the holder that was
 * drawn, both NULL if it is. */
struct drawn {
	const struct rated_wait *rated;
	struct row_waits *row;
	struct row_blame *blame;
};

static struct drawn leave_out(struct thread *thread, const void *address, const struct site *site)
{
	struct drawn drawn = {0};

	if (!thread->rate.is_short || !activity_may_enter(thread, site))
		return drawn;
	busy_begin(&thread->is_busy);
	drawn.rated = wait_rate_leave_out(
		&thread->rate, wait_rate_key(&thread->rate, address, site->caller, site->sp));
	if (drawn.rated) {
		drawn.row = drawn.rated->row;
		drawn.blame = wait_rate_draw(&thread->rate, drawn.rated);
	}
	busy_end(&thread->is_busy);
	return drawn;
}

static void announce(struct thread *thread, const void *address, enum operation operation)
{
	struct holds *holds = object_holds(object_known(address, object_kind_of(operation)));

	__atomic_fetch_add(object_waiters_of(address), 1, __ATOMIC_RELAXED);
	thread->quick_holds = holds;
	thread->quick_first = holds ? holds_mark(holds) : 0;
}

/* announced: the object, if releases are to be recorded; mutex: of a condition. */
static void open_wait(struct thread *thread, struct drawn drawn, const void *announced,
		      const void *mutex, const struct site *site)
{
	struct row_waits *row = drawn.row;

	thread->quick_row = row;
	thread->quick_blame = drawn.blame;
	thread->quick_rated = drawn.rated;
	/* its object is not held (object_hold) */
	thread->wait = (struct open_wait){.start_ns = tsc_clock_now_ns(&thread->clock),
					  .caller = site->caller,
					  .address = announced,
					  .mutex = mutex,
					  .path = row->callpath,
					  .cause = row->cause,
					  .operation = row->operation,
					  .is_announced = announced != NULL,
					  .is_quick = true};
	if (announced)
		announce(thread, announced, (enum operation)row->operation);
	thread->wait.frame = site->sp;
	activity_show(thread, row->object);
	concurrency_enter_call(&thread->event_ring, (enum cause)row->cause, thread->wait.start_ns);
}

bool quick_wait_begin(struct thread *thread, const void *address, const struct site *site)
{
	struct drawn drawn = leave_out(thread, address, site);

	if (!drawn.row)
		return false;
	busy_begin(&thread->is_busy);
	open_wait(thread, drawn, NULL, NULL, site);
	busy_end(&thread->is_busy);
	return true;
}

bool quick_wait_begin_announced(struct thread *thread, const void *address, const void *mutex,
				const struct site *site)
{
	struct drawn drawn = leave_out(thread, address, site);

	if (!drawn.row)
		return false;
	/* the wait releases the mutex without calling unlock */
	if (mutex && release_is_awaited(mutex))
		release_object(thread, mutex, OBJECT_MUTEX, site);
	busy_begin(&thread->is_busy);
	open_wait(thread, drawn, address, mutex, site);
	busy_end(&thread->is_busy);
	return true;
}

/* ---- end ---- */

/* Returns its length. */
static uint64_t stop(struct thread *thread, uint64_t end_ns)
{
	struct open_wait *wait = &thread->wait;

	wait->frame = 0; /* first: if a jump leaves this, no wait is charged twice */
	thread->may_have_slept = true;
	if (end_ns < wait->start_ns)
		end_ns = wait->start_ns;
	concurrency_leave_call(&thread->event_ring, wait->cause, wait->start_ns, end_ns);
	if (likely(thread->row))
		thread->row->waiting_since_ns = 0;
	if (wait->is_announced)
		__atomic_fetch_sub(object_waiters_of(wait->address), 1, __ATOMIC_RELAXED);
	wait->is_announced = false;
	return end_ns - wait->start_ns;
}

void quick_wait_end(struct thread *thread)
{
	struct row_waits *row = thread->quick_row;
	struct row_blame *blame = thread->quick_blame;

	/* in the child of a fork in a signal handler the records are empty */
	if (unlikely(!thread->wait.frame || !row || !blame))
		return;
	busy_begin(&thread->is_busy);
	quick_wait_settle(thread, row, blame, stop(thread, tsc_clock_now_ns(&thread->clock)), 0);
	busy_end(&thread->is_busy);
}

/* The first release that was recorded since it began. */
static uint32_t releaser(struct thread *thread, const struct row_waits *row)
{
	const struct open_wait *wait = &thread->wait;
	enum object_kind kind = object_kind_of((enum operation)row->operation);
	const struct object *object = object_known(wait->address, kind);
	const struct holds *holds = object_holds(object);
	uint32_t path = 0;

	holds_look(holds, &thread->after);
	if (holds == thread->quick_holds && thread->after.is_known)
		path = holds_first_since(&thread->after, thread->quick_first);
	return path ? path : callpath_mark(blame_unknown(object));
}

/* Its part after the signal is as in the measured waits of its place. Whether there was a signal is
 * not known: it is taken for granted. */
static void settle_condition(struct thread *thread, struct row_waits *row, uint64_t ns)
{
	const struct rated_wait *rated = thread->quick_rated;

	row->reacquire_ns += wait_rate_again_ns(rated, ns);
	settle_woken(thread, &thread->wait, true);
	thread->last_woken_ns = thread->wait.start_ns + ns;
}

void quick_wait_end_announced(struct thread *thread, enum outcome outcome)
{
	struct row_waits *row = thread->quick_row;
	const struct open_wait *wait = &thread->wait;

	if (unlikely(!wait->frame || !row || !thread->quick_blame))
		return;
	if (outcome != OUTCOME_DONE) {
		activity_end(thread, outcome); /* it is charged as a measured one */
		return;
	}
	bool is_condition = wait->cause == CAUSE_CONDITION;

	busy_begin(&thread->is_busy);
	row->futile += is_condition && settle_is_futile(thread, wait);
	uint64_t ns = stop(thread, tsc_clock_now_ns(&thread->clock));
	if (unlikely(!settle(thread, row, thread->quick_blame, ns)))
		charge_whole(thread, row, releaser(thread, row), ns);
	if (is_condition)
		settle_condition(thread, row, ns);
	busy_end(&thread->is_busy);
}

uint64_t quick_wait_give_up(struct thread *thread)
{
	if (unlikely(!thread->wait.frame))
		return 0;
	busy_begin(&thread->is_busy);
	stop(thread, tsc_clock_now_ns(&thread->clock));
	busy_end(&thread->is_busy);
	return thread->wait.start_ns;
}
