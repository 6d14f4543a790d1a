/* SPDX-License-Identifier: MIT */
/* How many events the processor can count at once. The kernel counts a group as a whole or not at
 * all, so a group that is too large is never counted.
 *
 * Assumed are 4 counters for any event, which all processors since 2008 have for each hardware
 * thread (fewer, if libpfm4 knows a smaller number). In addition, Intel's have a counter of its own
 * for each of cycles, instructions and ref-cycles. If the kernel's watchdog runs
 * (kernel.nmi_watchdog) it holds a counter for cycles: then cycles count like other events. */
#pragma once

#include "event_code.h"

#include <stdbool.h>

struct counter_budget {
	int counters; /* for any event */
	bool has_fixed;
	bool is_watched; /* the watchdog holds the counter of cycles */
};

/* Of this machine. */
struct counter_budget counter_budget_find(void);

/* Counters that an event takes: 0 or 1. */
int counter_budget_cost(const struct counter_budget *budget, const struct event_code *code);
