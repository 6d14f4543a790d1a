/* SPDX-License-Identifier: MIT */
/* Waits for io_uring, for timers of the ring: by libc's syscall(), or by a system call of the
 * program's own, as liburing makes it.
 *   uring_timers call | own
 * Truth: seconds in them. */
#include "truth.h"

#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/mman.h>

enum { WAITS = 20, NS = 10000000 };

#ifdef __x86_64__
static long own_enter(int ring)
{
	register long flags __asm__("r10") = IORING_ENTER_GETEVENTS;
	register long extra __asm__("r8") = 0;
	register long bytes __asm__("r9") = 0;
	long result = SYS_io_uring_enter;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((long)ring), "S"(1L), "d"(1L), "r"(flags), "r"(extra), "r"(bytes)
			 : "rcx", "r11", "memory");
	return result;
}
#else
#define own_enter enter
#endif

static long enter(int ring)
{
	return syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}

int main(int argc, char **argv)
{
	long (*wait)(int) = argc > 1 && !strcmp(argv[1], "own") ? own_enter : enter;
	static struct __kernel_timespec timeout = {.tv_nsec = NS};
	struct io_uring_params p = {0};
	int ring = (int)syscall(SYS_io_uring_setup, 4, &p), access = PROT_READ | PROT_WRITE;

	truth("has_ring", ring >= 0);
	char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, access, MAP_SHARED, ring,
			IORING_OFF_SQ_RING);
	char *cq = mmap(0, p.cq_off.cqes + p.cq_entries * 16, access, MAP_SHARED, ring,
			IORING_OFF_CQ_RING);
	struct io_uring_sqe *entries =
		mmap(0, p.sq_entries * sizeof *entries, access, MAP_SHARED, ring, IORING_OFF_SQES);
	double begin = now();
	for (unsigned i = 0; i < WAITS && ring >= 0; i++) {
		unsigned at = i % p.sq_entries;

		memset(&entries[at], 0, sizeof entries[at]);
		entries[at].opcode = IORING_OP_TIMEOUT;
		entries[at].addr = (uintptr_t)&timeout;
		entries[at].len = 1;
		((unsigned *)(sq + p.sq_off.array))[at] = at;
		__atomic_store_n((unsigned *)(sq + p.sq_off.tail), i + 1, __ATOMIC_RELEASE);
		if (wait(ring) != 1)
			return 9;
		__atomic_store_n((unsigned *)(cq + p.cq_off.head), i + 1, __ATOMIC_RELEASE);
	}
	truth("waiting", now() - begin);
	truth_end();
	return 0;
}
