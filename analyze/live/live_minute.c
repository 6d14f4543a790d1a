/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_minute.h"

#include "analyze/base/memory.h"
#include "analyze/live/live_levels.h"

#include <stdlib.h>

#define INTERVALS_MAX 128 /* at more than two frames a second it is less than a minute */

struct live_minute {
	struct {
		struct live_levels levels;
		uint64_t interval_ns, cpu_ns;
	} intervals[INTERVALS_MAX];
	size_t first, count;
};

struct live_minute *live_minute_create(void)
{
	return memory_allocate(1, sizeof(struct live_minute));
}

void live_minute_destroy(struct live_minute *minute)
{
	free(minute);
}

static void push(struct live_minute *minute, const struct live_frame *frame)
{
	size_t at = (minute->first + minute->count) % INTERVALS_MAX;

	if (minute->count == INTERVALS_MAX)
		minute->first = (minute->first + 1) % INTERVALS_MAX;
	else
		minute->count++;
	minute->intervals[at].levels = frame->levels;
	minute->intervals[at].interval_ns = frame->interval_ns;
	minute->intervals[at].cpu_ns = frame->cpu_ns;
}

/* The newest first, until they are a minute together; one that is longer counts whole. */
void live_minute_add(struct live_minute *minute, struct live_frame *frame)
{
	push(minute, frame);
	frame->minute = (struct live_levels){0};
	frame->minute_ns = frame->minute_cpu_ns = 0;
	for (size_t i = minute->count; i-- > 0;) {
		size_t at = (minute->first + i) % INTERVALS_MAX;

		if (frame->minute_ns &&
		    minute->intervals[at].interval_ns > LIVE_MINUTE_NS - frame->minute_ns)
			break;
		live_levels_add(&frame->minute, &minute->intervals[at].levels);
		frame->minute_ns += minute->intervals[at].interval_ns;
		frame->minute_cpu_ns += minute->intervals[at].cpu_ns;
		if (frame->minute_ns >= LIVE_MINUTE_NS)
			break;
	}
}
