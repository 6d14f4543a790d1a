/* SPDX-License-Identifier: MIT */
/* How much switch records may cost: if records all the time would exceed the budget, they are taken
 * in windows, and the time between windows is assumed to be like them.
 *
 * Context: the thread that holds the drain (concurrency.c). */
#pragma once

#include <stdint.h>

/* Start-up and fork child. */
void switch_windows_start(void);

/* Of a program that was attached to: windows from now on, which last until there is another thread,
 * or until they cost too much. */
void switch_windows_begin_late(uint64_t now_ns);

/* Begins to measure the rate of records. */
void switch_windows_measure(uint64_t now_ns);

/* After so many records have been applied: changes to windows if they cost too much. */
void switch_windows_keep_budget(uint64_t now_ns, uint32_t records);

/* A thread ran on a processor without records: changes to windows, which follow threads. */
void switch_windows_leave_processors(uint64_t now_ns);

/* Opens or ends a window when its time has come. */
void switch_windows_turn(uint64_t now_ns);
