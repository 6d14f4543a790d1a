/* SPDX-License-Identifier: MIT */
/* The processors that threads of this process may run on.
 *
 * Not the caller's affinity: a runtime may bind the first thread to one processor before it starts
 * others, which run elsewhere (libgomp does so in its constructor, with OMP_PROC_BIND=true). So it
 * is the affinity of the process before anything bound a thread of it, and what its threads are
 * found to be bound to later.
 *
 * Context: affinity_remember from any thread, before the others; affinity_add_own by the only
 * thread or by whoever holds the drain (concurrency.c). errno is never changed. */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* Start-up, and before the program binds a thread: what the affinity is now. Only the first time
 * counts. */
void affinity_remember(void);

/* Adds the processors of the calling thread. True: there are more than before. */
bool affinity_add_own(void);

/* The caller runs on one of them. */
bool affinity_covers_here(void);

/* Those known so far; none: this system does not tell. */
const cpu_set_t *affinity_processors(void);

/* Fork child: its first thread is all there is. */
void affinity_forget(void);
