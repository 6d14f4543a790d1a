/* SPDX-License-Identifier: MIT */
/* The form of a wrapped call on a descriptor, or of another one that may wait for input or output:
 *
 *     struct io_call call;
 *     bool is_seen = io_call_begin(&call, number, CAUSE_READ, OP_READ, SITE_HERE);
 *     ssize_t result = real.read(...);
 *     if (is_seen)
 *             io_call_end(&call, result, result);
 *
 * Every call is counted. One that took 5 us or more is a wait if the thread gave up the processor
 * and was off it for an eighth of the call; otherwise it was work in the kernel, as a copy from the
 * page cache is. That is not asked where the kernel has nothing to do but to wait: for events,
 * connections, file locks and messages, and for little to read from a pipe, a socket and the like.
 * What the thread gave up its processor for before is not this call's: after a wait of another kind
 * the first call asks at its begin as well (may_have_slept).
 * Of the wait under way the profile shows the caller without its own callers, and the object if the
 * number was looked up before, or is the first wait of a fork child; one that ends has its whole
 * call path.
 *
 * A call inside another wait is counted, not timed; one in a signal handler that interrupted this
 * tool is neither. One of a fork child that is asleep is counted later, and wakes it if it is about
 * to wait (early_calls.h). Context: own thread; never changes errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/interrupted.h"
#include "preload/base/tsc_clock.h"
#include "preload/file/schema.h"
#include "preload/io/early_calls.h"
#include "preload/io/io_descriptors.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"
#include "preload/waits/descriptor_call.h"

struct io_call {
	struct thread *thread; /* IO_CALL_EARLY: of a process that is asleep */
	union {
		struct row_io_calls *row; /* NULL: no room */
		struct early_call *early;
	};
	struct site site;
	uint64_t start_ns, start_ticks;
	uint64_t word; /* of the descriptor */
	int number;    /* -1: there is none */
	uint8_t cause, operation;
	bool is_timed;
	bool is_usual;   /* timed, with a row, not watched, its number looked up */
	bool is_watched; /* it was asked at the begin how often the processor was given up */
};

enum { IO_SHORT_US = 5 /* a shorter call is no wait */ };

/* No thread's record, so that a call of it is never under way for the ways that are in haste. */
#define IO_CALL_EARLY ((struct thread *)sizeof(struct thread))

/* One by a thread without a record: it asks for one, unless it is of a fork child that is asleep.
 * Ends with the other one. */
bool io_call_begin_unseen(struct io_call *call);
void io_call_end_unseen(struct io_call *call, int64_t result, uint64_t bytes);

/* What begins or ends unlike the latest call of its operation, or is long, or follows such a one.
 */
bool io_call_begin_slowly(struct io_call *call);
void io_call_end_slowly(struct io_call *call, int64_t result, uint64_t bytes);

static inline uint64_t io_call_place(uint64_t caller, enum operation operation)
{
	return caller ^ (uint64_t)operation << 56;
}

static inline struct io_memo *io_call_memo(struct thread *thread, enum operation operation)
{
	return &thread->io_memos[operation % THREAD_IO_MEMOS];
}

static inline __attribute__((always_inline)) void io_call_open(struct io_call *call,
							       struct thread *thread, uint64_t what)
{
	call->is_timed = true;
	call->start_ticks = arch_ticks();
	call->start_ns = tsc_clock_ns_of(&thread->clock, call->start_ticks);
	descriptor_call_enter(thread, what, call->site.caller, call->site.sp, call->start_ns);
}

/* cause: CAUSE_OTHER: it does not wait. False: it is not to be measured, do not call io_call_end.
 *
 * The two are inline because what stands between the program and the kernel is waited for, to the
 * last instruction, by the kernel's entry and by its exit: half the cost was the length of the
 * chain from one load to the next. A wiped record (thread.h) has no memo, and no wait. */
static inline __attribute__((always_inline)) bool io_call_begin(struct io_call *call, int number,
								enum cause cause,
								enum operation operation,
								const struct site *site)
{
	struct thread *thread = sync_self;

	call->thread = thread;
	call->site = *site;
	call->number = number;
	call->word = io_descriptor_word(number);
	call->cause = (uint8_t)cause;
	call->operation = (uint8_t)operation;
	call->is_watched = false;
	if (unlikely(!thread))
		return io_call_begin_unseen(call);
	call->is_usual = call->word & IO_LOOKED_UP;
	if (unlikely(thread->is_busy || thread->may_have_slept || thread->wait.frame ||
		     cause == CAUSE_OTHER))
		return io_call_begin_slowly(call);
	/* busy before the memo is read: a handler's call may put another one there */
	busy_begin(&thread->is_busy);
	const struct io_memo *memo = io_call_memo(thread, operation);
	if (unlikely(memo->place != io_call_place(site->caller, operation) ||
		     memo->word != (uint32_t)call->word)) {
		busy_end(&thread->is_busy);
		return io_call_begin_slowly(call);
	}
	call->row = memo->row;
	call->row->count++;
	io_call_open(call, thread, memo->what);
	busy_end(&thread->is_busy);
	return true;
}

/* On a small stack of signal handlers, which has room for the kernel's frame and little else: what
 * a new row or a look at the descriptor needs is 1.5 KiB of it. */
bool io_call_is_cramped(const struct io_call *call);

/* Before its end: the call was on that number, or none, which is known only now. */
static inline void io_call_is_on(struct io_call *call, int number)
{
	call->number = number;
	call->word = io_descriptor_word(number);
}

/* It was no call on the descriptor after all, nor a wait for it. In place of io_call_end. */
void io_call_forget(struct io_call *call);

/* False also where that is not known. */
static inline bool io_call_is_short(const struct io_call *call)
{
	return call->is_timed &&
	       arch_ticks() - call->start_ticks < IO_SHORT_US * tsc_clock_ticks_us;
}

/* False: this process was forked inside the call, or the call was left and is over. */
static inline bool io_call_is_under_way(const struct io_call *call)
{
	const struct thread *thread = call->thread;

	return likely(thread == thread_current() && !thread->is_busy && thread->row &&
		      (!call->is_timed || thread->wait.frame == call->site.sp));
}

/* result: negative, and errno: it failed. bytes: that it transferred, if it did not. */
static inline __attribute__((always_inline)) void io_call_end(struct io_call *call, int64_t result,
							      uint64_t bytes)
{
	struct thread *thread = call->thread;

	if (unlikely(!io_call_is_under_way(call))) {
		io_call_end_unseen(call, result, bytes);
		return;
	}
	if (unlikely(!call->is_usual || result < 0 || !io_call_is_short(call))) {
		io_call_end_slowly(call, result, bytes);
		return;
	}
	call->row->bytes += bytes;
	descriptor_call_leave_short(thread);
}
