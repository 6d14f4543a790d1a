/* SPDX-License-Identifier: MIT */
/* Which event is which: findings and scaling need cycles and instructions, by whatever name they
 * were asked for.
 *
 * Known are the kernel's generic events, by their numbers, and the names that libpfm4 has for the
 * same on x86 and ARM processors. Context: pure. */
#pragma once

#include "analyze/model/counters/counters.h"

enum counter_role { COUNTER_CYCLES, COUNTER_INSTRUCTIONS, COUNTER_CACHE_MISSES };

/* Number of the event; 0: none was counted. */
size_t counters_role(const struct counters *counters, enum counter_role role);
/* Instructions per cycle at a place; NAN: not counted. */
double counters_ipc(const struct counters *counters, const struct counter_place *place,
		    enum counter_part part);
