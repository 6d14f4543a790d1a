/* SPDX-License-Identifier: MIT */
/* What a thread waited for while it held a lock: input and output, or other threads. What it did
 * less of is forgotten.
 *
 * No record says what a thread holds, and taking a free lock is to cost no more for this. But each
 * such call is counted in the thread's rows: if it has not taken this lock between the end of a
 * wait and the release of the lock, it held it during the wait. Rows are added up by hash of the
 * lock's address, so a thread that has taken another lock of the same hash is said to have held
 * nothing: what is known is less than what is true at times, and never more.
 *
 * Context: own thread. Adding up takes 4 ns a row, of which there are 32, 128 or 512. It is done at
 * the end of a wait that is so much longer that this is below 2 % of it, and at a few releases that
 * others wait for after one. A wait for threads often ends with a lock, which this keeps longer
 * from the next one in line: it has to be five times as long, and the release of that lock adds up
 * nothing. */
#pragma once

#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/locks/objects.h"
#include "preload/thread/thread.h"

enum {
	HELD_IO_NS = 20000,   /* shorter waits are not looked at */
	HELD_IO_ROW_NS = 200, /* nor waits of less than so much for each row */
	HELD_IO_ROWS = 512,   /* with more rows nothing is known */
	HELD_FOR_THREADS = 5, /* waits for other threads: so many times as long */
	HELD_IO_MISSES = 8,   /* releases of what was not held, after which the wait is forgotten */
};

/* A wait that has just ended lasted from start_ns to end_ns. what: hold_what, with HOLD_FOR_THREADS
 * of one for other threads; lock: what the thread holds since its end; NULL: nothing. Before
 * held_io_waited. */
void held_io_add(struct thread *thread, uint64_t start_ns, uint64_t end_ns, uint64_t what,
		 const void *lock);

/* The lock that is held when the wait has ended; NULL: none. */
static inline const void *held_io_lock(const struct open_wait *wait)
{
	return wait->cause == CAUSE_CONDITION ? wait->mutex : wait->address;
}

/* The thread has waited for a lock, or for a condition, whose mutex it has taken again. */
void held_io_waited(struct thread *thread, const struct open_wait *wait);

/* At a release: what was waited for while the lock was held. NULL: nothing that is known. */
const struct hold_io *held_io_if_held(struct thread *thread, const struct object *object);

static inline const struct hold_io *held_io_at_release(struct thread *thread,
						       const struct object *object)
{
	if (likely(!thread->held_io.io.ns) || object->address == (uint64_t)thread->held_io.awaited)
		return NULL;
	return held_io_if_held(thread, object);
}
