/* SPDX-License-Identifier: MIT */
/* Calls on descriptors as waits to be: it is known only at the end whether they waited. First
 * activity_may_enter, then _enter, and at the end _leave_work if it was no wait, or _leave_wait,
 * which counts it. They are made a million times a second, so the two common ones are inline.
 *
 * Context: own thread. _leave_* only of what is under way (`wait.frame`), _leave_wait is_busy.
 * errno is never changed. */
#pragma once

#include <stdint.h>

#include "preload/concurrency/concurrency.h"
#include "preload/thread/thread.h"
#include "preload/waits/wait_rows.h"

/* What a wait under way is, as it stands in struct open_wait. path: what is known without a walk.
 * object: the descriptor's row, 0 if that is not known. kind: see descriptor_call_kind. */
static inline uint64_t descriptor_call_what(uint32_t path, uint16_t object, uint16_t kind)
{
	return path | (uint64_t)object << 32 | (uint64_t)kind << 48;
}

static inline uint16_t descriptor_call_kind(enum cause cause, enum operation operation)
{
	return (uint16_t)(cause | operation << 8);
}

static inline void descriptor_call_enter(struct thread *thread, uint64_t what, uint64_t caller,
					 uint64_t sp, uint64_t now_ns)
{
	struct open_wait *wait = &thread->wait;
	struct row_threads *row = thread->row;
	uint8_t cause = (uint8_t)(what >> 48);

	wait->start_ns = now_ns;
	wait->caller = caller;
	wait->object = NULL;
	wait->is_quick = false;
	wait->what = what;
	wait->frame = sp;
	if (likely(row)) { /* not wiped just now, by a signal handler that forked */
		row->waiting_path = (uint32_t)what;
		row->waiting_object = (uint16_t)(what >> 32);
		row->waiting_cause = cause;
		row->waiting_since_ns = now_ns;
	}
	concurrency_enter_call(&thread->event_ring, (enum cause)cause, now_ns);
}

void descriptor_call_leave_work(struct thread *thread, uint64_t now_ns);

/* The same after less time than a drain of T_i waits for. */
static inline void descriptor_call_leave_short(struct thread *thread)
{
	concurrency_leave_short(&thread->event_ring);
	if (likely(thread->row))
		thread->row->waiting_since_ns = 0;
	thread->wait.frame = 0;
}

void descriptor_call_leave_wait(struct thread *thread, uint32_t path, uint16_t object,
				uint64_t now_ns, enum outcome outcome);
