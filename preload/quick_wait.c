/* SPDX-License-Identifier: MIT */
#include "quick_wait.h"

#include "activity.h"
#include "concurrency.h"
#include "wait_rows.h"

bool quick_wait_begin(struct thread *thread, const void *address, const struct site *site)
{
	struct wait_rate *rate = &thread->rate;

	if (!rate->is_short || !activity_may_enter(thread, site))
		return false;
	struct rated_wait *rated =
		wait_rate_leave_out(rate, wait_rate_key(address, site->caller, site->sp));
	if (!rated)
		return false;
	const struct row_waits *row = rated->row;
	thread->is_busy = true;
	thread->rated = rated;
	/* if it is left by a jump, it has no object: this one is not held on to */
	thread->wait = (struct open_wait){.start_ns = quick_clock_now_ns(&thread->clock),
					  .caller = site->caller,
					  .path = row->callpath,
					  .cause = row->cause,
					  .operation = row->operation,
					  .is_quick = true};
	thread->wait.frame = site->sp;
	thread->row->waiting_path = row->callpath;
	thread->row->waiting_object = row->object;
	thread->row->waiting_cause = row->cause;
	thread->row->waiting_since_ns = thread->wait.start_ns;
	concurrency_enter_call(&thread->presence, row->cause, thread->wait.start_ns);
	thread->is_busy = false;
	return true;
}

/* Returns its length. */
static uint64_t stop(struct thread *thread, uint64_t end_ns)
{
	struct open_wait *wait = &thread->wait;

	wait->frame = 0; /* first: whatever jumps away from here, no wait is settled twice */
	if (end_ns < wait->start_ns)
		end_ns = wait->start_ns;
	concurrency_leave_call(&thread->presence, wait->cause, wait->start_ns, end_ns);
	if (likely(thread->row))
		thread->row->waiting_since_ns = 0;
	return end_ns - wait->start_ns;
}

void quick_wait_end(struct thread *thread)
{
	if (unlikely(!thread->wait.frame)) /* a fork in a handler has emptied the records */
		return;
	thread->is_busy = true;
	uint64_t ns = stop(thread, quick_clock_now_ns(&thread->clock));

	thread->waited_ns[thread->wait.cause] += ns;
	wait_rows_add(thread->rated->row, ns, OUTCOME_DONE);
	thread->rated->row->left_out++;
	thread->rated->blame->time_ns += ns;
	thread->rated->blame->count++;
	thread->is_busy = false;
}

uint64_t quick_wait_give_up(struct thread *thread)
{
	if (unlikely(!thread->wait.frame))
		return 0;
	thread->is_busy = true;
	stop(thread, quick_clock_now_ns(&thread->clock));
	thread->is_busy = false;
	return thread->wait.start_ns;
}
