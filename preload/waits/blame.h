/* SPDX-License-Identifier: MIT */
/* Charging a wait that is over to the call paths that caused it, by what its object told when it
 * began (thread->before) and when it ended (thread->after). Called by activity.c and omp_lock.c
 * alone; own thread. Conservation: every function charges exactly the wait's length in total; what
 * is not known is charged to [unknown], never to somebody. */
#pragma once

#include <stdint.h>

#include "preload/thread/thread.h"

/* Locks, and what else was waited for to the end: each holder that released during the wait, for
 * the time since the one before it; the last one also for the hand-over. */
void blame_holders(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		   bool timed_out);

/* Semaphore, once, condition: a wait that was given up, or was left, is nobody's as a whole.
 * Barrier: the first release after the wait began (its own round's last arrival). */
void blame_nobody(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		  bool timed_out);
void blame_first(struct thread *thread, const struct open_wait *wait, uint64_t end_ns);

/* Condition: those who signalled, each for the time since the signal before; but whoever held the
 * mutex after the latest signal, for that time. Returns that time; *is_signalled tells whether
 * there was a signal at all. Overwrites the two looks. */
uint64_t blame_signaller(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
			 bool *is_signalled);

/* Any path. False: no room; what could not be charged adds up in the thread's uncharged_ns. */
bool blame_charge(struct thread *thread, uint32_t path, uint16_t object, enum cause cause,
		  enum operation operation, uint64_t ns);
