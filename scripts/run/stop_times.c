/* SPDX-License-Identifier: MIT */
#include "stop_times.h"

#include "common/real_clock.h"

#include <stddef.h>
#include <time.h>

enum { STOPS_MOST = 256 }; /* kept apart: further ones count with the last */

static struct {
	struct stop_times each[STOPS_MOST];
	size_t count;
	uint64_t since_ns; /* 0: it is not stopped */
} stops;

void stop_times_stopped(void)
{
	if (!stops.since_ns)
		stops.since_ns = real_clock_ns(CLOCK_MONOTONIC);
}

void stop_times_continued(void)
{
	uint64_t now_ns = real_clock_ns(CLOCK_MONOTONIC);

	if (!stops.since_ns)
		return;
	if (stops.count < STOPS_MOST)
		stops.each[stops.count++].first_ns = stops.since_ns;
	struct stop_times *last = &stops.each[stops.count - 1];
	last->stopped_ns += now_ns - stops.since_ns;
	last->last_ns = now_ns;
	stops.since_ns = 0;
}

struct stop_times stop_times_since(uint64_t start_ns)
{
	struct stop_times sum = {0};

	for (size_t i = 0; i < stops.count; i++) {
		if (stops.each[i].first_ns < start_ns)
			continue;
		if (!sum.first_ns)
			sum.first_ns = stops.each[i].first_ns;
		sum.stopped_ns += stops.each[i].stopped_ns;
		sum.last_ns = stops.each[i].last_ns;
	}
	return sum;
}
