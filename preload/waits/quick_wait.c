/* SPDX-License-Identifier: MIT */
#include "preload/waits/quick_wait.h"

#include "preload/concurrency/concurrency.h"
#include "preload/stacks/callpath.h"
#include "preload/waits/activity.h"
#include "preload/waits/blame.h"
#include "preload/waits/wait_rows.h"

void quick_wait_settle(struct thread *thread, struct row_waits *row, struct row_blame *blame,
		       uint64_t ns, uint64_t holder)
{
	bool is_like = !wait_rate_is_unlike(row, ns);

	thread->waited_ns[row->cause] += ns;
	thread->waited_for.rest++;
	wait_rows_add(row, ns, OUTCOME_DONE);
	row->left_out++;
	if (likely(is_like)) {
		blame->time_ns += ns;
		blame->count++;
		return;
	}
	thread->uncharged_ns = 0;
	if (!blame_charge(thread,
			  holder ? callpath_place(holder) : callpath_mark(MARK_UNKNOWN_HOLDER),
			  row->object, (enum cause)row->cause, (enum operation)row->operation, ns))
		row->sum_ns -= ns;
}

static void open_wait(struct thread *thread, const struct rated_wait *rated,
		      const struct site *site)
{
	struct row_waits *row = rated->row;

	thread->quick_row = row;
	thread->quick_blame = wait_rate_draw(&thread->rate, rated);
	/* its object is not held (object_hold) */
	thread->wait = (struct open_wait){.start_ns = tsc_clock_now_ns(&thread->clock),
					  .caller = site->caller,
					  .path = row->callpath,
					  .cause = row->cause,
					  .operation = row->operation,
					  .is_quick = true};
	thread->wait.frame = site->sp;
	activity_show(thread, row->object);
	concurrency_enter_call(&thread->event_ring, (enum cause)row->cause, thread->wait.start_ns);
}

bool quick_wait_begin(struct thread *thread, const void *address, const struct site *site)
{
	if (!thread->rate.is_short || !activity_may_enter(thread, site))
		return false;
	thread->is_busy = true;
	const struct rated_wait *rated = wait_rate_leave_out(
		&thread->rate, wait_rate_key(&thread->rate, address, site->caller, site->sp));
	if (rated)
		open_wait(thread, rated, site);
	thread->is_busy = false;
	return rated != NULL;
}

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
	return end_ns - wait->start_ns;
}

void quick_wait_end(struct thread *thread)
{
	struct row_waits *row = thread->quick_row;
	struct row_blame *blame = thread->quick_blame;

	/* in the child of a fork in a signal handler the records are empty */
	if (unlikely(!thread->wait.frame || !row || !blame))
		return;
	thread->is_busy = true;
	quick_wait_settle(thread, row, blame, stop(thread, tsc_clock_now_ns(&thread->clock)), 0);
	thread->is_busy = false;
}

uint64_t quick_wait_give_up(struct thread *thread)
{
	if (unlikely(!thread->wait.frame))
		return 0;
	thread->is_busy = true;
	stop(thread, tsc_clock_now_ns(&thread->clock));
	thread->is_busy = false;
	return thread->wait.start_ns;
}
