/* SPDX-License-Identifier: MIT */
/* CPU time that the program would not have used without the profiler: one sum of what was counted,
 * each times its price, and of what was measured. An estimate.
 *
 * Not in it: the start of a process, which is in no figure. Context: pure. */
#pragma once

#include "analyze/read/profile.h"

/* Of one process, in nanoseconds. */
uint64_t own_cost_ns(const struct profile *profile);
