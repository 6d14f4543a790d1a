/* SPDX-License-Identifier: MIT */
/* The processors that threads of this process may run on.
 *
 * Not the caller's affinity: a runtime may bind the first thread to one processor before it starts
 * others, which run elsewhere (libgomp does so in its constructor, with OMP_PROC_BIND=true). So
 * these are the affinity that the process had before anything bound one of its threads, and what
 * its threads turn out to be bound to later.
 *
 * Context: affinity_remember from any thread, before the others; affinity_add_own by the only
 * thread, or by the thread that holds the drain (concurrency.c). errno is never changed. */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* At start-up, and before the program binds a thread: keeps the present affinity. Only the first
 * call counts. */
void affinity_remember(void);

/* Adds the processors of the calling thread. True: there are more than before. */
bool affinity_add_own(void);

/* Adds those of a thread of this process. */
bool affinity_add_thread(int tid);

/* Whether the caller runs on one of them. */
bool affinity_covers_here(void);

/* Those known so far; empty if they could not be read. */
const cpu_set_t *affinity_processors(void);

/* Fork child: nothing is known. */
void affinity_forget(void);
