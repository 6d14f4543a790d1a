/* SPDX-License-Identifier: MIT */
#include "preload/io/about_to_wait.h"

#include "preload/base/kernel_call.h"
#include "preload/io/io_names.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>

static bool is_ready(int number, short events)
{
	struct pollfd one = {.fd = number, .events = events};
	struct timespec now = {0, 0};
	int saved = errno;
	long ready = kernel_call(SYS_ppoll, &one, 1L, &now, NULL, 0L);

	errno = saved;
	return ready != 0 || io_is_nonblocking(number);
}

bool is_about_to_wait(int number, enum cause cause)
{
	switch (cause) {
	case CAUSE_READ:
	case CAUSE_ACCEPT:
		return number >= 0 && !is_ready(number, POLLIN);
	case CAUSE_WRITE:
		return number >= 0 && !is_ready(number, POLLOUT);
	case CAUSE_EVENTS:
	case CAUSE_FILE_LOCK:
	case CAUSE_IPC:
		return true; /* that is what they are for */
	default:
		return false;
	}
}
