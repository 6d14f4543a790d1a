/* SPDX-License-Identifier: MIT */
/* Waiting for events of descriptors. A call with a time-out of zero does not wait.
 *
 * poll waits for what became ready first: that is read when it succeeded, since until then the
 * array may be no memory at all, for which the kernel has an error number. Only where it lies on
 * the thread's own stack it is read before: who waits until a descriptor takes more waits to write,
 * and is not idle. */
#include "preload/io/io_wrapper.h"
#include "preload/samples/cut_call.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static enum cause cause_of_ms(int time_ms)
{
	return time_ms ? CAUSE_EVENTS : CAUSE_OTHER;
}

/* Of ppoll and pselect: libc reads it, too. That of epoll_pwait2 may be no memory at all. */
static enum cause cause_of(const struct timespec *time)
{
	return !time || time->tv_sec || time->tv_nsec ? CAUSE_EVENTS : CAUSE_OTHER;
}

static enum cause cause_of_value(const struct timeval *time)
{
	return !time || time->tv_sec || time->tv_usec ? CAUSE_EVENTS : CAUSE_OTHER;
}

enum { MOST_READ = 16 }; /* descriptors of a poll that are looked at */

static bool lies_on_own_stack(const struct pollfd *descriptors, const struct site *site)
{
	const struct thread *thread = sync_self;

	if (!thread || thread->stack.high < site->sp + sizeof *descriptors)
		return false;
	return (uint64_t)descriptors - site->sp <=
	       thread->stack.high - site->sp - sizeof *descriptors;
}

static enum cause cause_of_poll(const struct pollfd *descriptors, nfds_t count, enum cause cause,
				const struct site *site)
{
	if (cause == CAUSE_OTHER || !count || !lies_on_own_stack(descriptors, site))
		return cause;
	bool is_for_room = descriptors->events & POLLOUT && !(descriptors->events & POLLIN);
	return is_for_room ? CAUSE_WRITE : cause;
}

static void tell_of_ready(struct io_call *call, const struct pollfd *descriptors, nfds_t count)
{
	for (nfds_t i = 0; i < count && i < MOST_READ; i++)
		if (descriptors[i].revents) {
			io_call_is_on(call, descriptors[i].fd);
			return;
		}
}

/* mask: that of the call; NULL: it has none */
#define POLLING(name, parameters, arguments, cause, mask)                                          \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct io_call call;                                                               \
		const struct site *site = SITE_HERE;                                               \
                                                                                                   \
		real_need();                                                                       \
		bool is_seen = io_call_begin(                                                      \
			&call, -1, cause_of_poll(descriptors, count, cause, site), OP_POLL, site); \
		int result;                                                                        \
		CUT_CALL_MADE_AGAIN(result, real.name arguments, mask);                            \
		if (is_seen && result > 0)                                                         \
			tell_of_ready(&call, descriptors, count);                                  \
		if (is_seen)                                                                       \
			io_call_end(&call, result, 0);                                             \
		return result;                                                                     \
	}

/* AWAITING(name, parameters, arguments, number, cause, operation) */
#define AWAITING(name, parameters, arguments, number, cause, operation)                            \
	IO_CALL(int, name, parameters, arguments, number, cause, operation, 0)

/* The same with a mask for the call's time. */
#define AWAITING_WITH_MASK(name, parameters, arguments, number, cause, operation)                  \
	EXPORTED int name parameters IO_BODY_OF(                                                   \
		int, CUT_CALL_MADE_AGAIN(result, real.name arguments, mask), number, cause,        \
		operation, 0)

POLLING(poll, (struct pollfd * descriptors, nfds_t count, int time_ms),
	(descriptors, count, time_ms), cause_of_ms(time_ms), NULL)
POLLING(__poll_chk, (struct pollfd * descriptors, nfds_t count, int time_ms, size_t room),
	(descriptors, count, time_ms, room), cause_of_ms(time_ms), NULL)
POLLING(ppoll,
	(struct pollfd * descriptors, nfds_t count, const struct timespec *time,
	 const sigset_t *mask),
	(descriptors, count, time, mask), cause_of(time), mask)
POLLING(__ppoll_chk,
	(struct pollfd * descriptors, nfds_t count, const struct timespec *time,
	 const sigset_t *mask, size_t room),
	(descriptors, count, time, mask, room), cause_of(time), mask)
AWAITING(select,
	 (int count, fd_set *restrict to_read, fd_set *restrict to_write, fd_set *restrict failed,
	  struct timeval *restrict time),
	 (count, to_read, to_write, failed, time), -1, cause_of_value(time), OP_SELECT)
AWAITING_WITH_MASK(pselect,
		   (int count, fd_set *restrict to_read, fd_set *restrict to_write,
		    fd_set *restrict failed, const struct timespec *restrict time,
		    const sigset_t *restrict mask),
		   (count, to_read, to_write, failed, time, mask), -1, cause_of(time), OP_SELECT)
AWAITING(epoll_wait, (int number, struct epoll_event *events, int room, int time_ms),
	 (number, events, room, time_ms), number, cause_of_ms(time_ms), OP_EPOLL_WAIT)
AWAITING_WITH_MASK(epoll_pwait,
		   (int number, struct epoll_event *events, int room, int time_ms,
		    const sigset_t *mask),
		   (number, events, room, time_ms, mask), number, cause_of_ms(time_ms),
		   OP_EPOLL_WAIT)
AWAITING_WITH_MASK(epoll_pwait2,
		   (int number, struct epoll_event *events, int room, const struct timespec *time,
		    const sigset_t *mask),
		   (number, events, room, time, mask), number, CAUSE_EVENTS, OP_EPOLL_WAIT)

ALIAS(__poll, poll)
ALIAS(__select, select)
