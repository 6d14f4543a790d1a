/* SPDX-License-Identifier: MIT */
#include "preload/io/io_call.h"

#include "preload/base/clock.h"
#include "preload/base/interrupted.h"
#include "preload/base/kernel_call.h"
#include "preload/base/system.h"
#include "preload/io/io_descriptors.h"
#include "preload/io/io_names.h"
#include "preload/io/io_rows.h"
#include "preload/life/sync_thread.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/activity.h"
#include "preload/waits/stack_memo.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
	SHORT_NS = IO_SHORT_US * 1000,
	DOUBT_NS = 50000,      /* a call that should not wait, and took this long, is looked into */
	LOOK_UP_NS = 20000,    /* after a wait this long the number is looked up, or compared */
	OFF_PART = 8,          /* a wait is off the processor for one part in so many */
	STREAM_BYTES = 16384,  /* to copy so many takes less than SHORT_NS */
	COMPARE_NS = 10000000, /* one descriptor is compared no more often */
	CRAMPED = 8192,        /* a smaller stack of handlers */
	MEASURED_ENDS = 16,    /* one long call in so many measures what its end costs */
	WATCHED_SHORT = 16,    /* a place is watched for so many short calls */
};

/* ---- begin ---- */

/* Calls in which the kernel has next to nothing to do but to wait: how much of the processor they
 * used need not be asked, if they gave it up. A ring's transfers are made within the call. */
static bool is_mere_wait(const struct io_call *call)
{
	switch ((enum cause)call->cause) {
	case CAUSE_EVENTS:
		return call->operation != OP_URING_ENTER;
	case CAUSE_ACCEPT:
	case CAUSE_FILE_LOCK:
	case CAUSE_IPC:
		return true;
	default:
		return false;
	}
}

/* So is reading a little of what others send. */
static bool is_mere_reading(const struct io_call *call, uint64_t bytes)
{
	return call->cause == CAUSE_READ && call->word & IO_STREAM && bytes <= STREAM_BYTES;
}

/* Reading from and writing to what others read and write: with O_NONBLOCK they do not wait. poll,
 * whose object may be such a number, does, and so does sendfile, for the disk. */
static bool is_transfer(enum operation operation)
{
	switch (operation) {
	case OP_READ:
	case OP_READV:
	case OP_RECV:
	case OP_RECVFROM:
	case OP_RECVMSG:
	case OP_WRITE:
	case OP_WRITEV:
	case OP_SEND:
	case OP_SENDTO:
	case OP_SENDMSG:
		return true;
	default:
		return false;
	}
}

/* Then how often the processor was given up need not be asked, which would be a few percent of a
 * server's time. Servers change the flag by fcntl and ioctl, and processes that share the number
 * change it, too: a long call is looked into. */
static bool is_unwaiting(const struct io_call *call, uint64_t ns)
{
	if (!(call->word & IO_UNWAITING) || !is_transfer((enum operation)call->operation))
		return false;
	if (ns < DOUBT_NS || io_is_nonblocking(call->number))
		return true;
	io_descriptor_waits(call->number, call->word);
	return false;
}

/* To ask before the call takes 0.2 us: only where some of the latest calls took long. */
static bool may_be_work(const struct io_call *call)
{
	return call->row && !is_mere_wait(call) && !is_mere_reading(call, 0);
}

static bool was_long(const struct io_call *call, const struct io_thread *io)
{
	return call->row && io->was_long & io_rows_bit(call->row);
}

/* A thread that lost its processor to another one, or to the host, has not given it up. Told
 * since it was asked last. */
static bool has_given_up(struct thread *thread, struct io_thread *io)
{
	struct rusage usage = {0};

	system_usage(&usage);
	bool has = io->voluntary != usage.ru_nvcsw;
	io->voluntary = usage.ru_nvcsw;
	thread->may_have_slept = false;
	return has;
}

/* What it slept for before is not this call's: to ask takes 0.2 us, once after each wait. */
static bool is_to_watch(const struct io_call *call, const struct io_thread *io)
{
	return call->thread->may_have_slept || was_long(call, io);
}

/* The place last: a handler that jumps out of this leaves a memo of no place, and not one without a
 * row. */
static void keep(struct io_memo *memo, uint64_t place, uint64_t what, struct row_io_calls *row,
		 uint32_t word)
{
	memo->place = 0;
	interrupted_fence();
	memo->what = what;
	memo->row = row;
	memo->word = word;
	interrupted_fence();
	memo->place = place;
}

/* The row that counts it, kept for the next call unless that begins slowly, too; and what is shown
 * while it is under way. */
static uint64_t find_row(struct io_call *call, struct io_thread *io)
{
	enum operation operation = (enum operation)call->operation;
	uint64_t caller = call->site.caller;
	struct row_io_calls *row =
		io_rows_find(io, (uint16_t)(call->word & IO_ROW), operation, caller);
	uint16_t kind = descriptor_call_kind((enum cause)call->cause, operation);
	uint64_t what = descriptor_call_what(row ? row->callpath : 0,
					     (uint16_t)(call->word & IO_ROW), kind);

	call->row = row;
	if (row && call->cause != CAUSE_OTHER && !was_long(call, io))
		keep(io_call_memo(call->thread, operation), io_call_place(caller, operation), what,
		     row, (uint32_t)call->word);
	return what;
}

__attribute__((noinline)) bool io_call_is_cramped(const struct io_call *call)
{
	const struct unwind_stack *own = &call->thread->stack;
	stack_t stack;

	if (likely(call->site.sp - own->low < own->high - own->low))
		return false;
	return thread_is_final() || (!kernel_call(SYS_sigaltstack, NULL, &stack) &&
				     stack.ss_flags & SS_ONSTACK && stack.ss_size < CRAMPED);
}

__attribute__((noinline)) static bool begin(struct io_call *call)
{
	struct thread *thread = call->thread;

	call->is_usual = call->is_watched = false;
	call->is_timed = activity_may_enter(thread, &call->site) && call->cause != CAUSE_OTHER;
	if (unlikely(thread->is_busy || !thread->row))
		return false;
	busy_begin(&thread->is_busy);
	struct io_thread *io = io_thread_of(thread);
	if (likely(io != NULL)) {
		uint64_t what = find_row(call, io);
		if (likely(call->row != NULL))
			call->row->count++;
		if (call->is_timed && is_to_watch(call, io) && !thread_is_final()) {
			call->is_watched = true;
			has_given_up(thread, io);
		}
		if (likely(call->is_timed))
			io_call_open(call, thread, what);
	}
	busy_end(&thread->is_busy);
	return io != NULL;
}

/* Two functions: who is cramped does not get the frame of the other one. */
bool io_call_begin_slowly(struct io_call *call)
{
	return likely(!io_call_is_cramped(call)) && begin(call);
}

/* Before a fork child that was asleep waits: there is time, and the end of the wait, after which
 * the number would be looked up, may never come. */
static void look_up(struct io_call *call)
{
	struct thread *thread = call->thread;

	if (call->number < 0 || call->word & IO_LOOKED_UP || thread->is_busy || !thread->row)
		return;
	busy_begin(&thread->is_busy);
	io_descriptor_find(call->number, call->word, (enum operation)call->operation,
			   call->site.caller);
	busy_end(&thread->is_busy);
	call->word = io_descriptor_word(call->number);
}

bool io_call_begin_unseen(struct io_call *call)
{
	if (thread_current() || thread_is_unobserved)
		return false;
	bool is_asleep = lifecycle_is_asleep();
	struct early_call *early =
		is_asleep ? early_call_begin(call->number, (enum cause)call->cause,
					     (enum operation)call->operation, call->site.caller)
			  : NULL;
	call->thread = early ? IO_CALL_EARLY : sync_thread();
	if (!early && is_asleep && call->thread)
		look_up(call);
	if (!early)
		return call->thread && io_call_begin_slowly(call);
	call->early = early;
	call->is_timed = call->is_usual = false;
	return true;
}

/* ---- end ---- */

/* How long it was off the processor, at most, during the call. What it used since the latest
 * reading may have been before the call, and so may what it was off: if that leaves it open, it was
 * off as long as can be. */
static uint64_t off_ns(const struct io_call *call, struct io_thread *io, uint64_t end_ns)
{
	uint64_t ns = end_ns - call->start_ns, cpu_ns = clock_thread_cpu_ns();

	if (io->cpu_ns > cpu_ns) /* of an earlier thread that had this record */
		io->cpu_ns = 0;
	uint64_t at_ns = io->cpu_at_ns, sampled_ns = call->thread->sampled_cpu_ns;
	bool is_later = sampled_ns > io->cpu_ns && sampled_ns <= cpu_ns;
	uint64_t last_ns = is_later ? sampled_ns : io->cpu_ns;
	uint64_t used_ns = cpu_ns - last_ns, passed_ns = end_ns - at_ns;
	uint64_t all_ns = cpu_ns - io->cpu_ns;

	io->cpu_ns = cpu_ns;
	io->cpu_at_ns = end_ns;
	if (used_ns < ns - ns / OFF_PART)
		return ns - used_ns;
	if (passed_ns < all_ns)
		return 0;
	return passed_ns - all_ns < ns ? passed_ns - all_ns : ns;
}

static bool has_waited(const struct io_call *call, uint64_t bytes, uint64_t end_ns)
{
	struct io_thread *io = call->thread->io;
	uint64_t ns = end_ns - call->start_ns;

	if (ns < SHORT_NS || thread_is_final() || is_unwaiting(call, ns))
		return false;
	if (may_be_work(call)) {
		io->was_long |= io_rows_bit(call->row);
		io_call_memo(call->thread, (enum operation)call->operation)->place = 0;
	}
	if (!has_given_up(call->thread, io))
		return false;
	return is_mere_wait(call) || is_mere_reading(call, bytes) ||
	       off_ns(call, io, end_ns) >= ns / OFF_PART;
}

static enum outcome outcome_of(const struct io_call *call, int64_t result, int error)
{
	bool is_late = error == EAGAIN || error == ETIMEDOUT || error == EINPROGRESS;

	if (result < 0)
		return is_late ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
	bool is_of_events = call->operation == OP_POLL || call->cause == CAUSE_EVENTS;
	return is_of_events && !result ? OUTCOME_TIMEOUT : OUTCOME_DONE;
}

/* It was compared a moment ago. */
static bool is_compared(struct io_thread *io, const struct io_call *call, uint64_t end_ns)
{
	bool is = io->compared == call->number && io->compared_word == call->word &&
		  end_ns - io->compared_ns < COMPARE_NS;

	if (!is) {
		io->compared = call->number;
		io->compared_word = call->word;
		io->compared_ns = end_ns;
	}
	return is;
}

/* It was counted without object, which is known now. */
static void count_again(const struct io_call *call, uint16_t object, int64_t result, uint64_t bytes)
{
	struct row_io_calls *before = call->row;
	struct row_io_calls *row = io_rows_find(call->thread->io, object,
						(enum operation)call->operation, call->site.caller);

	if (!before || !row || row == before || before->object == object)
		return;
	before->count--;
	row->count++;
	if (result < 0) {
		before->failed--;
		row->failed++;
		return;
	}
	before->bytes -= bytes;
	row->bytes += bytes;
}

/* What asking whether a call waited, and recording it, costs; one that is watched was asked at its
 * begin as well. */
static void add_own_time(const struct io_call *call, uint64_t end_ns)
{
	if ((end_ns & (MEASURED_ENDS - 1)) == 0)
		overhead_add(call->thread, clock_now_ns() - end_ns,
			     MEASURED_ENDS * (1 + call->is_watched), OVERHEAD_CALL_NS);
}

/* A long call, or one after which the number is looked up. */
__attribute__((noinline)) static void end_long(const struct io_call *call, int64_t result,
					       uint64_t bytes, bool is_due, uint64_t end_ns)
{
	struct thread *thread = call->thread;
	uint16_t object = (uint16_t)(call->word & IO_ROW);
	int error = errno;

	busy_begin(&thread->is_busy);
	bool is_wait = call->is_timed && has_waited(call, bytes, end_ns);
	bool is_long = is_wait && end_ns - call->start_ns >= LOOK_UP_NS &&
		       !is_compared(thread->io, call, end_ns);
	if (call->is_timed && !is_wait)
		descriptor_call_leave_work(thread, end_ns);
	bool is_asked = (is_due || is_long) && call->number >= 0 && !thread_is_final();
	if (is_asked)
		object = io_descriptor_find(call->number, call->word,
					    (enum operation)call->operation, call->site.caller);
	if (is_asked || is_wait)
		count_again(call, object, result, bytes);
	if (is_wait)
		descriptor_call_leave_wait(thread, stack_memo_site_path(thread, &call->site),
					   object, end_ns, outcome_of(call, result, error));
	if (call->is_timed)
		add_own_time(call, end_ns);
	busy_end(&thread->is_busy);
	errno = error;
}

static void add(const struct io_call *call, int64_t result, uint64_t bytes)
{
	if (!call->row)
		return;
	if (likely(result >= 0))
		call->row->bytes += bytes;
	else
		call->row->failed++;
}

void io_call_end_slowly(struct io_call *call, int64_t result, uint64_t bytes)
{
	struct thread *thread = call->thread;
	uint64_t end_ns = call->is_timed ? tsc_clock_now_ns(&thread->clock) : 0;
	bool is_due = io_descriptor_use(call->number, call->word, result > 0 ? bytes : 0);

	if (end_ns < call->start_ns && call->is_timed)
		end_ns = call->start_ns;
	add(call, result, bytes);
	bool is_long = call->is_timed && end_ns - call->start_ns >= SHORT_NS;
	if (unlikely((is_due || is_long) && !io_call_is_cramped(call))) {
		end_long(call, result, bytes, is_due, end_ns);
		return;
	}
	/* not at once: places at which long and short calls take turns stay watched */
	if (unlikely(call->is_watched && !(++thread->io->watched % WATCHED_SHORT)))
		thread->io->was_long &= ~io_rows_bit(call->row);
	if (likely(call->is_timed))
		descriptor_call_leave_work(thread, end_ns);
}

void io_call_end_unseen(struct io_call *call, int64_t result, uint64_t bytes)
{
	if (call->thread == IO_CALL_EARLY)
		early_call_end(call->early, call->number, result, bytes);
}

void io_call_forget(struct io_call *call)
{
	struct thread *thread = call->thread;

	if (thread == IO_CALL_EARLY)
		early_call_forget(call->early);
	if (!io_call_is_under_way(call))
		return;
	if (call->row)
		call->row->count--;
	if (call->is_timed)
		descriptor_call_leave_work(thread, tsc_clock_now_ns(&thread->clock));
}
