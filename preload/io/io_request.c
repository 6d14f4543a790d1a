/* SPDX-License-Identifier: MIT */
#include "preload/io/io_request.h"

#include "preload/base/clock.h"
#include "preload/file/durations.h"
#include "preload/io/io_rows.h"
#include "preload/thread/thread_life.h"

#include <errno.h>

/* When the request was read that the descriptor has not answered yet; 0: there is none. Atomic. */
static uint64_t since_ns[IO_DESCRIPTORS];

void io_request_forget(int number)
{
	if ((unsigned)number < IO_DESCRIPTORS)
		__atomic_store_n(&since_ns[number], 0, __ATOMIC_RELAXED);
}

/* Busy: a signal handler's call would find the row half made. */
static void add(const struct io_call *call, uint64_t ns)
{
	struct thread *thread = call->thread;
	struct row_requests *row;
	int error = errno;

	if (unlikely(io_call_is_cramped(call)))
		return;
	busy_begin(&thread->is_busy);
	struct io_thread *io = io_thread_of(thread);
	row = io ? io_rows_find_requests(io, (uint16_t)(call->word & IO_ROW),
					 (enum operation)call->operation, call->site.caller)
		 : NULL;
	if (likely(row != NULL)) {
		durations_add(DURATIONS_OF(row), ns, !row->count);
		row->count++;
	}
	busy_end(&thread->is_busy);
	errno = error;
}

/* To ask for the time takes as long as all the rest: the call's begin is at hand. */
static uint64_t begin_ns(const struct io_call *call)
{
	return call->is_timed ? call->start_ns : tsc_clock_now_ns(&call->thread->clock);
}

/* A process that is asleep has no thread with a clock. */
static uint64_t now_of(const struct io_call *call)
{
	return unlikely(call->thread == IO_CALL_EARLY || !io_call_is_under_way(call))
		       ? clock_now_ns()
		       : tsc_clock_now_ns(&call->thread->clock);
}

void io_request_pass(const struct io_call *call, enum cause cause, int64_t result)
{
	if (unlikely((unsigned)call->number >= IO_DESCRIPTORS || result <= 0))
		return;
	uint64_t *since = &since_ns[call->number];
	uint64_t read_ns = __atomic_load_n(since, __ATOMIC_RELAXED);

	if (cause == CAUSE_READ && !read_ns)
		__atomic_store_n(since, now_of(call), __ATOMIC_RELAXED);
	if (cause != CAUSE_WRITE || !read_ns || !io_call_is_under_way(call) ||
	    !__atomic_compare_exchange_n(since, &read_ns, 0, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return;
	uint64_t now_ns = begin_ns(call);

	add(call, now_ns > read_ns ? now_ns - read_ns : 0);
}
