/* SPDX-License-Identifier: MIT */
/* Waiting for events of descriptors. A call with a time-out of zero does not wait. */
#include "preload/io/io_wrapper.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static enum cause cause_of_ms(int time_ms)
{
	return time_ms ? CAUSE_EVENTS : CAUSE_OTHER;
}

static enum cause cause_of(const struct timespec *time)
{
	return !time || time->tv_sec || time->tv_nsec ? CAUSE_EVENTS : CAUSE_OTHER;
}

static enum cause cause_of_value(const struct timeval *time)
{
	return !time || time->tv_sec || time->tv_usec ? CAUSE_EVENTS : CAUSE_OTHER;
}

/* AWAITING(name, parameters, arguments, number, cause, operation) */
#define AWAITING(name, parameters, arguments, number, cause, operation)                            \
	IO_CALL(int, name, parameters, arguments, number, cause, operation, 0)

AWAITING(poll, (struct pollfd * descriptors, nfds_t count, int time_ms),
	 (descriptors, count, time_ms), -1, cause_of_ms(time_ms), OP_POLL)
AWAITING(__poll_chk, (struct pollfd * descriptors, nfds_t count, int time_ms, size_t room),
	 (descriptors, count, time_ms, room), -1, cause_of_ms(time_ms), OP_POLL)
AWAITING(ppoll,
	 (struct pollfd * descriptors, nfds_t count, const struct timespec *time,
	  const sigset_t *mask),
	 (descriptors, count, time, mask), -1, cause_of(time), OP_POLL)
AWAITING(__ppoll_chk,
	 (struct pollfd * descriptors, nfds_t count, const struct timespec *time,
	  const sigset_t *mask, size_t room),
	 (descriptors, count, time, mask, room), -1, cause_of(time), OP_POLL)
AWAITING(select,
	 (int count, fd_set *restrict to_read, fd_set *restrict to_write, fd_set *restrict failed,
	  struct timeval *restrict time),
	 (count, to_read, to_write, failed, time), -1, cause_of_value(time), OP_SELECT)
AWAITING(pselect,
	 (int count, fd_set *restrict to_read, fd_set *restrict to_write, fd_set *restrict failed,
	  const struct timespec *restrict time, const sigset_t *restrict mask),
	 (count, to_read, to_write, failed, time, mask), -1, cause_of(time), OP_SELECT)
AWAITING(epoll_wait, (int number, struct epoll_event *events, int room, int time_ms),
	 (number, events, room, time_ms), number, cause_of_ms(time_ms), OP_EPOLL_WAIT)
AWAITING(epoll_pwait,
	 (int number, struct epoll_event *events, int room, int time_ms, const sigset_t *mask),
	 (number, events, room, time_ms, mask), number, cause_of_ms(time_ms), OP_EPOLL_WAIT)
AWAITING(epoll_pwait2,
	 (int number, struct epoll_event *events, int room, const struct timespec *time,
	  const sigset_t *mask),
	 (number, events, room, time, mask), number, cause_of(time), OP_EPOLL_WAIT)
