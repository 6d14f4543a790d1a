/* SPDX-License-Identifier: MIT */
/* The kernel's clocks, as the profiles have them: a library that is preloaded into this program as
 * well as into the profiled one may define clock_gettime, and tell a time that somebody moved, or
 * that stands still (libfaketime). */
#pragma once

#include <stdint.h>
#include <time.h>

void real_clock_read(clockid_t clock, struct timespec *now);

uint64_t real_clock_ns(clockid_t clock);
