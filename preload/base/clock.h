/* SPDX-License-Identifier: MIT */
/* Reading clocks. Any thread, any context, also signal handlers; never changes errno.
 * All results are nanoseconds. */
#pragma once

#include "preload/base/direct.h"
#include "preload/base/kernel_call.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t clock_read_ns(clockid_t id)
{
	struct timespec t;

	/* cannot fail for the clocks below, so errno stays */
	direct.clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t clock_ns_of(const struct timespec *span)
{
	return (uint64_t)span->tv_sec * 1000000000u + (uint64_t)span->tv_nsec;
}

static inline struct timespec clock_span_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* The time of everything in a profile: CLOCK_MONOTONIC, from the vDSO, 25 to 50 ns. */
static inline uint64_t clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/* CPU time of the calling thread; a system call, 200 to 650 ns. 0: the process is sealed. */
static inline uint64_t clock_thread_cpu_ns(void)
{
	if (kernel_is_sealed)
		return 0;
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The kernel's number of a thread's CPU clock: CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED. */
static inline clockid_t clock_of_thread(int32_t tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

/* CPU time of another thread; 0: no thread has that number. */
static inline uint64_t clock_other_cpu_ns(int32_t tid)
{
	clockid_t id = clock_of_thread(tid);
	struct timespec time = {0};
	int saved = errno;

	if (kernel_call(SYS_clock_gettime, id, &time))
		time = (struct timespec){0};
	errno = saved;
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* CPU time of all threads of the process, also of those that have ended; a system call that visits
 * every living thread. 0: the process is sealed. */
static inline uint64_t clock_process_cpu_ns(void)
{
	return kernel_is_sealed ? 0 : clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* The kernel's tick, at which timers on CPU clocks expire: the resolution of the coarse clock. 0:
 * it is not known. Asked once. */
uint64_t clock_tick_ns(void);
