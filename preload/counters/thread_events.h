/* SPDX-License-Identifier: MIT */
/* What a thread counts: its rows of the tables event_counts and event_samples.
 *
 * Each sample reads the counts and charges what was counted since the thread's previous sample to
 * the call path that it found. What comes after the last sample is in event_counts alone. The costs
 * of the profiler itself are counted, too.
 *
 * A thread opens its events when it begins, which takes 10 to 20 us for each: where this would
 * exceed the budget, since threads are short, further threads count nothing, and a note says so.
 *
 * Context: begin and end in the thread itself; sample in its signal handler; update also from
 * another thread, at the process's end. errno is never changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/stacks/unwind.h"

struct event_set;

/* Start-up: what is to be counted. Opening a profile: its rows; a fork child's are new. Fork child:
 * closes what is the parent's. */
void thread_events_start(void);
void thread_events_open_profile(int pid);
void thread_events_forget(void);

/* *set: of this thread's record, NULL at first, and kept for the record's next thread; owner: row
 * of the thread. */
void thread_events_begin(struct event_set **set, uint32_t owner);

/* What a sample of this thread found. */
struct event_place {
	const struct unwind_path *walk;
	uint32_t path, level;
	uint8_t cause; /* enum cause of the wait that the thread is in; 0: in none */
};

/* First in the handler: reads the counts. Then, when the path is known: charges them. set may be
 * NULL. */
void thread_events_read(struct event_set *set);
void thread_events_charge(struct event_set *set, const struct event_place *place);

/* Before the program replaces what has that number: counts are read for the last time, and the
 * number is ours no more. Nothing in a vfork child, whose descriptors are its own. */
void thread_events_yield(int number);

/* Brings the counts up to date, from any thread. */
void thread_events_update(struct event_set *set, bool is_own);

/* The same, and stops counting. */
void thread_events_end(struct event_set *set);
