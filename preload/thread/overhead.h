/* SPDX-License-Identifier: MIT */
/* What the tool costs, measured at start-up in a few microseconds, and written to the profile. */
#pragma once

#include "preload/base/clock.h"
#include "preload/base/likely.h"
#include "preload/thread/thread.h"

/* The profiler's own part of a call (CALL), of a sample (LONG), and of preparing a thread (BIRTH),
 * takes longer than this only if the thread lost its processor meanwhile. */
enum { OVERHEAD_CALL_NS = 2000, OVERHEAD_LONG_NS = 50000, OVERHEAD_BIRTH_NS = 500000 };

enum { OVERHEAD_WHOLE = 1 << 16 };

/* Adds own time: ns were measured, for one of `times` events, as only one of many is measured. Own
 * thread. */
static inline void overhead_add(struct thread *thread, uint64_t ns, uint64_t times,
				uint64_t most_ns)
{
	if (ns < most_ns && likely(thread->row))
		thread->row->tool_ns += ns * times;
}

/* The same of what takes long: its CPU time since the thread's clock was at cpu_ns. */
static inline void overhead_add_cpu(struct thread *thread, uint64_t cpu_ns)
{
	overhead_add(thread, clock_thread_cpu_ns() - cpu_ns, 1, UINT64_MAX);
}

/* Start-up, before there is a store; in the thread of that number. */
void overhead_measure(int32_t tid);

/* The rest of it, which sends a signal to the calling thread: once, where that is not blocked. For
 * processes that have samples: at their end, or when they make a thread, since it is 30 system
 * calls and most processes are too short for a sample. Not in a thread that was interrupted in a
 * system call, which the kernel would then end (attach/). */
void overhead_measure_signal(void);

/* The kernel's part of a sample; 0: it was not measured yet. */
uint64_t overhead_signal_ns(void);

/* Writes it to the row of the process. Also in fork children. */
void overhead_write(void);

/* From the second thread on libc's locks are atomic instructions, and so are ours. */
void overhead_begin_parallel(void);

/* Of the time in wrappers that take and release free mutexes in libc's place, what libc would have
 * used: of OVERHEAD_WHOLE. 0: they do not. Any context. */
uint32_t overhead_native_share(void);
