/* SPDX-License-Identifier: MIT */
/* Which event is which: findings and scaling need cycles and instructions, by whatever name they
 * were asked for.
 *
 * Known are the kernel's generic events, by their numbers, and the names that libpfm4 has for the
 * same on x86 and ARM processors. Reads of modified lines have a name on Intel's only:
 * docs/counters.md. Context: pure. */
#pragma once

#include "analyze/model/counters/counters.h"

enum counter_role {
	COUNTER_CYCLES,
	COUNTER_INSTRUCTIONS,
	COUNTER_CACHE_MISSES,
	COUNTER_MODIFIED,     /* reads of lines that another core of the socket had modified */
	COUNTER_MODIFIED_FAR, /* the same of another socket */
};

/* Number of the event; 0: none was counted. */
size_t counters_role(const struct counters *counters, enum counter_role role);
/* Instructions per cycle at a place; NAN: not counted. */
double counters_ipc(const struct counters *counters, const struct counter_place *place,
		    enum counter_part part);
