/* SPDX-License-Identifier: MIT */
/* Whether the process of a profile still runs. */
#pragma once

#include "analyze/read/profile.h"

/* True if the profile knows of no end, was written on this host, and a process of that number lives
 * that is old enough to be the one: numbers are used again. */
bool process_is_alive(const struct profile *profile);

/* CLOCK_MONOTONIC, nanoseconds. */
uint64_t process_clock_ns(void);
