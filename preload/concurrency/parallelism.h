/* SPDX-License-Identifier: MIT */
/* T_i itself: the rows of the table concurrency, and their sums over time (timeline.h). Time passes
 * at the levels that were set last (scheduler_state.c): threads on a processor, and useful ones.
 *
 * Context: the thread that holds the drain (concurrency.c), or the only thread; parallelism_on: any
 * thread.
 *
 * Definition of T_i: A. D. Malony, "Performance Observability", 1990 (concurrency efficiency). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/concurrency/level_account.h"

/* Start-up and fork child: level 0, unseen. Makes rows for 0 .. processors threads. */
void parallelism_start(uint64_t start_ns, unsigned processors);

/* There are so many processors now. */
void parallelism_widen(unsigned processors);

/* As long as there is one thread: T_0 and T_1 since the start, from its CPU time. */
void parallelism_update_single(uint64_t now_ns, uint64_t cpu_ns);

/* Leaves out that much of the time since the start, the tool's own. Before the call below. */
void parallelism_leave_out(uint64_t ns);

/* parallelism_update_single for the last time; from now on time passes in parallelism_advance. */
void parallelism_end_single(uint64_t now_ns, uint64_t cpu_ns);

/* For the time from now on. */
void parallelism_set_view(enum parallelism_view view);
bool parallelism_is_seen(void);  /* also in a window */
bool parallelism_is_whole(void); /* records of all threads all the time */
void parallelism_set(uint32_t on, uint32_t useful);

/* Time passes up to this instant; an instant in the past has no effect. */
void parallelism_advance(uint64_t time_ns);

/* For so much of the time just passed, a thread that counted as useful was in short waits. */
void parallelism_take_useful(uint64_t ns);

/* Up to when time has passed, and the CPU time that passed in parallelism_advance. */
uint64_t parallelism_last_ns(void);
uint64_t parallelism_cpu_ns(void);

/* T_i so far, on a processor, of at most `count` levels, of which the last has all higher ones.
 * Returns how many there are. Any thread; what is added meanwhile may be missing. */
unsigned parallelism_read(uint64_t *levels, unsigned count);

/* Threads on a processor. */
uint32_t parallelism_on(void);
const uint32_t *parallelism_on_word(void); /* atomic */
