/* SPDX-License-Identifier: MIT */
/* CLOCK_MONOTONIC for calls that are made a million times a second: the processor's counter (9 ns)
 * instead of the vDSO (21 ns). It is corrected against the real clock about every millisecond, and
 * so differs from it by 0.1 us at most.
 *
 * The counter is used where the kernel's vDSO derives the time from it, which it does only if the
 * counter is the same on all processors and keeps its rate; and no longer once it has jumped several
 * times in a row (a virtual machine that moved to a host whose counter has another rate). Elsewhere
 * this is one reading of the real clock. Context: one thread for each struct. */
#pragma once

#include <stdbool.h>
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
	uint32_t jumps; /* readings in a row that the counter did not foretell */
};

/* Numbered as enum quick_clock (vocabulary.h). */
enum tsc_clock_choice { TSC_CLOCK_JUDGED, TSC_CLOCK_COUNTER, TSC_CLOCK_KERNEL };

/* Before the first calibration: what the user decided. */
void tsc_clock_choose(enum tsc_clock_choice choice);

/* After the first calibration: is the counter used, as soon as its rate is known? */
bool tsc_clock_has_counter(void);

/* Measures the rate, from what it read at its first call, some milliseconds ago. After the first
 * call readings do the second one themselves; until then they are of the real clock. */
void tsc_clock_calibrate(void);

uint64_t tsc_clock_set(struct tsc_clock *clock);

static inline uint64_t tsc_clock_at(struct tsc_clock *clock, uint64_t ticks, uint64_t rate)
{
	uint64_t passed = ticks - clock->ticks;

	if (unlikely(passed >= ARCH_TICKS_STEADY))
		return tsc_clock_set(clock);
	return clock->last_ns = clock->ns + (passed * rate >> QUICK_CLOCK_BITS);
}

/* ticks: the counter, just read. */
static inline uint64_t tsc_clock_ns_of(struct tsc_clock *clock, uint64_t ticks)
{
	uint64_t rate = __atomic_load_n(&tsc_clock_rate, __ATOMIC_RELAXED);

	return likely(rate) ? tsc_clock_at(clock, ticks, rate) : tsc_clock_set(clock);
}

static inline uint64_t tsc_clock_now_ns(struct tsc_clock *clock)
{
	uint64_t rate = __atomic_load_n(&tsc_clock_rate, __ATOMIC_RELAXED);

	return likely(rate) ? tsc_clock_at(clock, arch_ticks(), rate) : tsc_clock_set(clock);
}
