/* SPDX-License-Identifier: MIT */
/* What the tool costs, measured on this machine at start-up in a few microseconds, and written
 * beside the figures. */
#pragma once

#include "preload/base/likely.h"
#include "preload/thread/thread.h"

/* The profiler's own part of a call, and that of a birth, an end or a sample, take longer than this
 * only if the thread lost its processor on the way. */
enum { OVERHEAD_CALL_NS = 2000, OVERHEAD_LONG_NS = 50000 };

/* ns were measured; `times` of them are meant, as only one of many is measured. Own thread. */
static inline void overhead_add(struct thread *thread, uint64_t ns, uint64_t times,
				uint64_t most_ns)
{
	if (ns < most_ns && likely(thread->row))
		thread->row->tool_ns += ns * times;
}

/* Start-up, before the store is there. */
void overhead_measure(void);

/* Into the row of the process. Also in fork children. */
void overhead_write(void);
