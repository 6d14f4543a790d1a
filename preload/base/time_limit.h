/* SPDX-License-Identifier: MIT */
/* Whether the clock and the instant given to a timed wait are valid. glibc checks them before it
 * looks at the object; a wrapper that tries first would hide its EINVAL. Any context. */
#pragma once

#include <stdbool.h>
#include <time.h>

/* A clock that futexes can wait by. */
static inline bool time_limit_has_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* NULL is not valid either: the original call finds out. */
static inline bool time_limit_is_valid(clockid_t clock, const struct timespec *until)
{
	return time_limit_has_clock(clock) && until && until->tv_nsec >= 0 &&
	       until->tv_nsec < 1000000000;
}
