/* SPDX-License-Identifier: MIT */
#include "sample_rate.h"

#include "common/message.h"


#include <stddef.h>
#include <stdlib.h>
#include <time.h>

void sample_rate_tell(const char *sample)
{
	struct timespec tick;

	/* the resolution of the coarse clock is a tick */
	if (!sample || clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || tick.tv_sec || !tick.tv_nsec)
		return;
	long most = 1000000000 / tick.tv_nsec;
	if (strtol(sample, NULL, 10) > most)
		message_say("-s %s: this kernel's tick allows %ld samples a second of CPU time and "
			    "thread: there will be at most that many",
			    sample, most);
}
