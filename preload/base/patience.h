/* SPDX-License-Identifier: MIT */
/* Waiting for another thread inside this library: for microseconds, normally.
 *
 * That thread may have the lower priority on a processor that both share (SCHED_FIFO): as long as
 * the waiting one spins or yields, it cannot go on. So the waiting one looks again some times, then
 * yields, and then sleeps, and every wait has a limit: the other thread may have left what it did
 * by a jump, or be stopped by a debugger. Where a sandbox forbids system calls it only looks again.
 *
 * Not for what the waiting thread itself may be doing, in code that a signal handler interrupted:
 * such work blocks signals, or knows its thread. Context: any thread, signal handlers of the
 * program. errno is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All zero: the wait begins. */
struct patience {
	uint32_t looks;
	uint64_t until_ns;
};

/* Between two looks. False: give up, it has taken more than most_ns. */
bool patience_left(struct patience *patience, uint64_t most_ns);
