/* SPDX-License-Identifier: MIT */
#include "preload/base/clock.h"

uint64_t clock_tick_ns(void)
{
	static uint64_t known_ns; /* atomic */
	uint64_t tick_ns = __atomic_load_n(&known_ns, __ATOMIC_RELAXED);
	struct timespec tick = {0};

	if (!tick_ns && !kernel_call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick)) {
		tick_ns = clock_ns_of(&tick);
		__atomic_store_n(&known_ns, tick_ns, __ATOMIC_RELAXED);
	}
	return tick_ns;
}
