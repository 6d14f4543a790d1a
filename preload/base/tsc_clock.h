/* SPDX-License-Identifier: MIT */
/* CLOCK_MONOTONIC for calls that are made a million times a second: the processor's counter (9 ns)
 * instead of the vDSO (21 ns), set right against the real clock every millisecond or so, so that it
 * never differs from it by more than 0.1 us.
 *
 * Only where the kernel itself trusts that counter as its clock; elsewhere it is the real clock.
 * Context: one thread for each struct. */
#pragma once

#include <stdint.h>

#include "arch.h"
#include "preload/base/clock.h"
#include "preload/base/likely.h"

enum {
	QUICK_CLOCK_BITS = 24,
	QUICK_CLOCK_TICKS = 1 << 21, /* 0.5 to 1 ms of an x86-64 counter */
};

/* ns of 2^QUICK_CLOCK_BITS ticks; 0: the counter is not to be used (yet). */
extern uint64_t tsc_clock_rate __attribute__((visibility("hidden")));

struct tsc_clock {
	uint64_t ticks, ns; /* the latest reading of both clocks */
	uint64_t last_ns;
};

/* Measures the rate: from what it found at its first call, some milliseconds ago. Readings do it by
 * themselves then; until that they are of the real clock. */
void tsc_clock_calibrate(void);

uint64_t tsc_clock_set(struct tsc_clock *clock);

static inline uint64_t tsc_clock_now_ns(struct tsc_clock *clock)
{
	uint64_t passed = arch_ticks() - clock->ticks;

	if (unlikely(passed >= QUICK_CLOCK_TICKS || !tsc_clock_rate))
		return tsc_clock_set(clock);
	return clock->last_ns = clock->ns + (passed * tsc_clock_rate >> QUICK_CLOCK_BITS);
}
