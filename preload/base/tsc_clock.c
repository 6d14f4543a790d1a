/* SPDX-License-Identifier: MIT */
#include "preload/base/tsc_clock.h"

#include "preload/base/small_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum {
	CALIBRATION_NS = 2000000,
	TRIES = 4,
};

uint64_t tsc_clock_rate, tsc_clock_ticks_us;

static uint64_t first_ticks, first_ns;
static bool is_hopeless; /* the kernel does not use the counter as its clock */

/* The kernel stops using a counter that is not the same on all processors. */
static bool is_trusted(void)
{
	char name[32];
	long length =
		small_file_read("/sys/devices/system/clocksource/clocksource0/current_clocksource",
				name, sizeof name);

	return length > 0 && (!strncmp(name, "tsc", 3) || !strncmp(name, "arch_sys_counter", 16));
}

/* Reads both at one instant. If the thread loses its processor between the two readings, they are
 * wrong by as long as that takes; the counter shows it, and they are read again. */
static void read_both(uint64_t *ticks, uint64_t *ns)
{
	uint64_t least = UINT64_MAX, close = arch_ticks_close();

	for (int i = 0; i < TRIES && least > close; i++) {
		uint64_t before = arch_ticks(), now = clock_now_ns();
		uint64_t spent = arch_ticks() - before;
		if (spent >= least)
			continue;
		least = spent;
		*ticks = before + spent / 2;
		*ns = now;
	}
}

void tsc_clock_calibrate(void)
{
	uint64_t ticks = 0, ns = 0;

	read_both(&ticks, &ns);

	if (!first_ns) {
		first_ticks = ticks;
		first_ns = ns;
		return;
	}
	if (tsc_clock_rate || ns - first_ns < CALIBRATION_NS || ticks <= first_ticks)
		return;
	is_hopeless = !is_trusted();
	if (is_hopeless)
		return;
	tsc_clock_rate = (uint64_t)(((unsigned __int128)(ns - first_ns) << QUICK_CLOCK_BITS) /
				    (ticks - first_ticks));
	tsc_clock_ticks_us = (ticks - first_ticks) * 1000 / (ns - first_ns);
}

/* Calibrates for the second time, as soon as enough time has passed. */
static void improve(uint64_t now_ns)
{
	int saved = errno;

	if (first_ns && !is_hopeless && now_ns - first_ns >= CALIBRATION_NS)
		tsc_clock_calibrate();
	errno = saved;
}

uint64_t tsc_clock_set(struct tsc_clock *clock)
{
	uint64_t ticks = 0, ns = 0;

	read_both(&ticks, &ns);
	clock->ticks = ticks;
	clock->ns = ns > clock->last_ns ? ns : clock->last_ns;
	if (unlikely(!tsc_clock_rate))
		improve(ns);
	return clock->last_ns = clock->ns;
}
