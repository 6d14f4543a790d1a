/* SPDX-License-Identifier: MIT */
#include "quick_clock.h"

#include "small_file.h"

#include <stdbool.h>
#include <string.h>

enum { CALIBRATION_NS = 2000000 };

uint64_t quick_clock_rate;

static uint64_t first_ticks, first_ns;

/* The kernel gives a counter up that is not the same on all processors. */
static bool is_trusted(void)
{
	char name[32];
	long length =
		small_file_read("/sys/devices/system/clocksource/clocksource0/current_clocksource",
				name, sizeof name);

	return length > 0 && (!strncmp(name, "tsc", 3) || !strncmp(name, "arch_sys_counter", 16));
}

void quick_clock_calibrate(void)
{
	uint64_t ticks = arch_ticks(), ns = clock_now_ns();

	if (!first_ns) {
		first_ticks = ticks;
		first_ns = ns;
		return;
	}
	if (quick_clock_rate || ns - first_ns < CALIBRATION_NS || ticks <= first_ticks)
		return;
	if (is_trusted())
		quick_clock_rate =
			(uint64_t)(((unsigned __int128)(ns - first_ns) << QUICK_CLOCK_BITS) /
				   (ticks - first_ticks));
}

uint64_t quick_clock_set(struct quick_clock *clock)
{
	uint64_t ticks = arch_ticks(), ns = clock_now_ns();

	clock->ticks = ticks;
	clock->ns = ns > clock->last_ns ? ns : clock->last_ns;
	return clock->last_ns = clock->ns;
}
