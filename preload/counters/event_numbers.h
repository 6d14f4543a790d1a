/* SPDX-License-Identifier: MIT */
/* Numbers of the descriptors that stay open while threads count events.
 *
 * Counts are read by a system call that needs an open descriptor, so these are the only ones of the
 * profiler that a program could meet, and only if it asked for events. They lie above the numbers
 * that programs choose themselves, are at most a quarter of what the limit allows, and to libc's
 * close, close_range and closefrom they look as they would without the profiler: not open. A dup2
 * onto such a number takes it: whoever counted by it counts no more.
 *
 * Context: any thread, signal handlers. errno is never changed. */
#pragma once

#include <stdbool.h>

#include "preload/base/likely.h"

struct descriptor;

/* Moves a descriptor up, ends its stretch, and keeps it open; the number, or a negative errno (it
 * is closed then). -EMFILE: a quarter of the limit is used up. */
int event_numbers_keep(struct descriptor *descriptor);

/* Closes it, if it is still ours. */
void event_numbers_close(int number);

/* Around a read: false, and nothing to end, if the program has taken the number. */
bool event_numbers_begin_read(int number);
void event_numbers_end_read(void);

/* Whether any is open. */
extern bool event_numbers_are_used __attribute__((visibility("hidden")));

/* The first of ours from `first` to `last`; -1: none is. */
int event_numbers_next(unsigned first, unsigned last);

static inline bool event_numbers_have(int number)
{
	return unlikely(event_numbers_are_used) && number >= 0 &&
	       event_numbers_next((unsigned)number, (unsigned)number) >= 0;
}

/* Before the program replaces what has that number: it is ours no more. */
void event_numbers_yield(int number);

/* In a fork child: closes all, which are the parent's. */
void event_numbers_forget(void);

/* The limit of descriptors, for a note. */
unsigned event_numbers_limit(void);
