/* SPDX-License-Identifier: MIT */
#include "preload/waits/descriptor_call.h"

#include "preload/waits/activity.h"
#include "preload/waits/held_io.h"
#include "preload/waits/settle.h"

void descriptor_call_leave_work(struct thread *thread, uint64_t now_ns)
{
	concurrency_leave_work(&thread->event_ring, thread->wait.start_ns, now_ns);
	if (likely(thread->row))
		thread->row->waiting_since_ns = 0;
	thread->wait.frame = 0;
}

void descriptor_call_leave_wait(struct thread *thread, uint32_t path, uint16_t object,
				uint64_t now_ns, enum outcome outcome)
{
	struct open_wait *wait = &thread->wait;

	wait->frame = 0; /* first: if a jump leaves this, no wait is charged twice */
	concurrency_leave_call(&thread->event_ring, (enum cause)wait->cause, wait->start_ns,
			       now_ns);
	if (likely(thread->row))
		thread->row->waiting_since_ns = 0;
	wait->path = path;
	wait->named = object;
	settle_wait(thread, wait, now_ns, outcome);
	held_io_add(thread, wait->start_ns, now_ns, hold_what(path, object, wait->operation), NULL);
	activity_close(thread, now_ns);
}
