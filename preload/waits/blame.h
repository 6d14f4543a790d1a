/* SPDX-License-Identifier: MIT */
/* Charges a wait that is over to the call paths that caused it, from its object's sums at its begin
 * (thread->before) and end (thread->after). Context: own thread. Conservation: every function
 * charges exactly the wait's length in total; what is not known is charged to [unknown]. */
#pragma once

#include <stdint.h>

#include "preload/thread/thread.h"

/* Locks, and semaphores, once and futexes if the wait succeeded: each release during the wait, for
 * the time since the previous one; the last one also for the time until the waiter ran. */
void blame_holders(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		   bool timed_out);

/* blame_nobody: semaphore, once, futex, condition: a wait that was given up or left is nobody's as
 * a whole. blame_first: barrier: the first release after the wait began (its round's last
 * arrival). */
void blame_nobody(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
		  bool timed_out);
void blame_first(struct thread *thread, const struct open_wait *wait, uint64_t end_ns);

/* What ended the wait for a condition: no signal; one that was recorded; one that was not, since
 * its thread signals too often (activity.c), which is taken for the latest that was. */
enum waking { WAKING_SPURIOUS, WAKING_SEEN, WAKING_UNSEEN };

/* Condition: the signals, each for the time since the previous one; after the latest, the holders
 * of the mutex, for *reacquire_ns. Overwrites thread->before and thread->after. */
enum waking blame_signaller(struct thread *thread, const struct open_wait *wait, uint64_t end_ns,
			    uint64_t *reacquire_ns);

/* The mark for a releaser that was not seen: of what processes share, it is in another one. object
 * may be NULL. */
enum callpath_mark blame_unknown(const struct object *object);

/* Charges any path. False: no room; of a wait that has been counted the thread goes on to owe it.
 */
bool blame_charge(struct thread *thread, uint32_t path, uint16_t object, enum cause cause,
		  enum operation operation, uint64_t ns);
