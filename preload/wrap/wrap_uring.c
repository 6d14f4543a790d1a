/* SPDX-License-Identifier: MIT */
/* io_uring_enter by libc's syscall(), as Rust's runtimes call it: a call on the ring, and a wait
 * for its events if it is to wait for some. See uring_wait.h, too. */
#include "preload/io/io_call.h"
#include "preload/process/real.h"
#include "preload/samples/uring_wait.h"

/* Of the call's flags: the kernel's headers may be older. */
enum { GET_EVENTS = 1, REGISTERED_RING = 1 << 4 };

/* From syscall_door_ARCH.c, in the place of libc's syscall; number: SYS_io_uring_enter. */
long wrap_uring(long number, long ring, long submitted, long awaited, long flags, long extra,
		long bytes);
long wrap_uring(long number, long ring, long submitted, long awaited, long flags, long extra,
		long bytes)
{
	uint32_t before = uring_wait_ring; /* in a handler of the program */
	bool may_wait = flags & GET_EVENTS && (uint32_t)awaited;
	int descriptor = flags & REGISTERED_RING ? -1 : (int)ring;
	struct io_call call;

	real_need();
	bool is_seen = io_call_begin(&call, descriptor, may_wait ? CAUSE_EVENTS : CAUSE_OTHER,
				     OP_URING_ENTER, SITE_HERE);
	uring_wait_ring = (uint32_t)ring + 1;
	long result = real.syscall(number, ring, submitted, awaited, flags, extra, bytes);
	uring_wait_ring = before;
	if (is_seen)
		io_call_end(&call, result, 0);
	return result;
}
