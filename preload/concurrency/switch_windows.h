/* SPDX-License-Identifier: MIT */
/* How much switch records may cost: where taking them all the time would exceed the budget, they
 * are taken in windows, and the time between is taken to be like them.
 *
 * Context: whoever holds the drain (concurrency.c). */
#pragma once

#include <stdint.h>

/* Start-up and fork child. */
void switch_windows_start(void);

/* From now on the rate of records is measured. */
void switch_windows_measure(uint64_t now_ns);

/* After so many records have been dealt with: goes over to windows where they are too dear. */
void switch_windows_keep_budget(uint64_t now_ns, uint32_t records);

/* A thread ran where no record tells of it: goes over to windows, which follow threads anywhere. */
void switch_windows_leave_processors(uint64_t now_ns);

/* Opens or ends a window when its time has come. */
void switch_windows_turn(uint64_t now_ns);
