/* SPDX-License-Identifier: MIT */
/* What a signal handler may interrupt, and how its thread stays in order.
 *
 * Handlers of the program, and our own sample, run between any two instructions of a thread; they may
 * make wrapped calls, fork, or jump out and never come back. They see the memory of their thread as it
 * is at that instruction. So the order in which fields are stored is part of the code, and the compiler
 * has to be told so: it may put plain stores into any order.
 *
 *   busy_begin, busy_end    around work on what handlers use as well. Who finds a thread busy stays
 *                           out: it measures less, and no row is changed in the middle of a change.
 *   interrupted_fence       between two stores of which handlers have to see the first one first, as
 *                           between a row and the count that shows it
 *
 * They only hold back the compiler: they are no instructions, and order nothing for other threads. A
 * jump out of a handler that interrupted such work leaves the thread busy: activity_look finds out, as
 * no frame of ours is on the stack any more, and gives up what was left half done. Context: own
 * thread. */
#pragma once

#include <stdbool.h>

static inline void interrupted_fence(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void busy_begin(bool *is_busy)
{
	__atomic_store_n(is_busy, true, __ATOMIC_RELAXED);
	interrupted_fence();
}

static inline void busy_end(bool *is_busy)
{
	interrupted_fence();
	__atomic_store_n(is_busy, false, __ATOMIC_RELAXED);
}
