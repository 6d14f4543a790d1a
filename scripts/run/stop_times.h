/* SPDX-License-Identifier: MIT */
/* How long the program was stopped by signals, as its parent sees it. Context: ptrace-run. Times
 * are CLOCK_MONOTONIC. */
#pragma once

#include <stdint.h>

struct stop_times {
	uint64_t stopped_ns, first_ns, last_ns; /* all 0: it was not stopped */
};

void stop_times_stopped(void);
/* Also at the end. Without a stop before it, which ptrace-run slept through, nothing is known. */
void stop_times_continued(void);

/* Of what was executed at that time. */
struct stop_times stop_times_since(uint64_t start_ns);
