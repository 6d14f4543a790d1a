/* SPDX-License-Identifier: MIT */
/* CLOCK_MONOTONIC for calls that are made a million times a second: the processor's counter (9 ns)
 * instead of the vDSO (21 ns). It is corrected against the real clock about every millisecond, and
 * so differs from it by 0.1 us at most.
 *
 * The counter is used only if the kernel itself uses it as its clock; otherwise this is the real
 * clock. Context: one thread for each struct. */
#pragma once

#include <stdint.h>

#include "arch.h"
#include "preload/base/clock.h"
#include "preload/base/likely.h"

enum { QUICK_CLOCK_BITS = 24 };

/* ns per 2^QUICK_CLOCK_BITS ticks; 0: the counter is not used (yet). */
extern uint64_t tsc_clock_rate __attribute__((visibility("hidden")));

/* Ticks in a microsecond, rounded down; 0 likewise. For what is short by any reading. */
extern uint64_t tsc_clock_ticks_us __attribute__((visibility("hidden")));

struct tsc_clock {
	uint64_t ticks, ns; /* the latest reading of both clocks */
	uint64_t last_ns;
};

/* Measures the rate, from what it read at its first call, some milliseconds ago. After the first
 * call readings do the second one themselves; until then they are of the real clock. */
void tsc_clock_calibrate(void);

uint64_t tsc_clock_set(struct tsc_clock *clock);

/* ticks: the counter, just read. */
static inline uint64_t tsc_clock_ns_of(struct tsc_clock *clock, uint64_t ticks)
{
	uint64_t passed = ticks - clock->ticks;

	if (unlikely(passed >= ARCH_TICKS_STEADY || !tsc_clock_rate))
		return tsc_clock_set(clock);
	return clock->last_ns = clock->ns + (passed * tsc_clock_rate >> QUICK_CLOCK_BITS);
}

static inline uint64_t tsc_clock_now_ns(struct tsc_clock *clock)
{
	return tsc_clock_ns_of(clock, arch_ticks());
}
