/* SPDX-License-Identifier: MIT */
/* T_i itself: the rows of the table concurrency, and the time lines of what they sum up. Time
 * passes at the levels that were set last: threads on a processor, and useful ones.
 *
 * Context: whoever holds the drain (concurrency.c), or the only thread; levels_on: anybody.
 *
 * Definition of T_i: A. D. Malony, "Performance Observability", 1990 (concurrency efficiency). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How well what passes is known, which decides on the rows that it belongs to. */
enum levels_view {
	LEVELS_UNSEEN,    /* no switch records */
	LEVELS_SEEN,      /* records all the time */
	LEVELS_IN_WINDOW, /* records now; the time between windows is taken to be alike */
};

/* Start-up and fork child: level 0, unseen. Rows are there for 0 .. processors threads. */
void levels_start(uint64_t start_ns, unsigned processors);

/* There are so many now. The only thread, or whoever holds the drain. */
void levels_widen(unsigned processors);

/* As long as there is one thread: T_0 and T_1 since the start from its CPU time. */
void levels_update_single(uint64_t now_ns, uint64_t cpu_ns);

/* So much of the time since the start is left out: the tool's own. Before the call below. */
void levels_leave_out(uint64_t ns);

/* The same for the last time; from now on time passes by levels_advance. */
void levels_end_single(uint64_t now_ns, uint64_t cpu_ns);

/* For the time from now on. */
void levels_set_view(enum levels_view view);
bool levels_are_seen(void);  /* in a window, too */
bool levels_are_whole(void); /* records of all threads all the time */
void levels_set(uint32_t on, uint32_t useful);

/* Time passes up to this instant; instants of the past do nothing. */
void levels_advance(uint64_t time_ns);

/* A thread that counted as useful was in short waits for some of the time just passed. */
void levels_take_useful(uint64_t ns);

/* Up to where time has passed, and how much CPU time levels_advance has seen pass. */
uint64_t levels_last_ns(void);
uint64_t levels_cpu_ns(void);

/* Threads on a processor. */
uint32_t levels_on(void);
