/* SPDX-License-Identifier: MIT */
/* What the tool costs, measured at start-up in a few microseconds, and written to the profile. */
#pragma once

#include "preload/base/likely.h"
#include "preload/thread/thread.h"

/* The profiler's own part of a call (CALL), and of a birth, an end or a sample (LONG), takes longer
 * than this only if the thread lost its processor meanwhile. */
enum { OVERHEAD_CALL_NS = 2000, OVERHEAD_LONG_NS = 50000 };

/* Adds own time: ns were measured, for one of `times` events, as only one of many is measured. Own
 * thread. */
static inline void overhead_add(struct thread *thread, uint64_t ns, uint64_t times,
				uint64_t most_ns)
{
	if (ns < most_ns && likely(thread->row))
		thread->row->tool_ns += ns * times;
}

/* Start-up, before there is a store. */
void overhead_measure(void);

/* The rest of it, which sends a signal to the calling thread: once, where that is not blocked. Not
 * in a thread that was interrupted in a system call, which the kernel would then end (attach/). */
void overhead_measure_signal(void);

/* Writes it to the row of the process. Also in fork children. */
void overhead_write(void);
