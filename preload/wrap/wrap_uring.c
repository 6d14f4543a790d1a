/* SPDX-License-Identifier: MIT */
/* io_uring_enter by libc's syscall(), as Rust's runtimes call it: see uring_wait.h. */
#include "preload/process/real.h"
#include "preload/samples/uring_wait.h"

/* From the door, in the place of libc's syscall; number: SYS_io_uring_enter. */
long wrap_uring(long number, long ring, long submitted, long awaited, long flags, long extra,
		long bytes);
long wrap_uring(long number, long ring, long submitted, long awaited, long flags, long extra,
		long bytes)
{
	uint32_t before = uring_wait_ring; /* in a handler of the program */

	real_need();
	uring_wait_ring = (uint32_t)ring + 1;
	long result = real.syscall(number, ring, submitted, awaited, flags, extra, bytes);
	uring_wait_ring = before;
	return result;
}
