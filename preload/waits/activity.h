/* SPDX-License-Identifier: MIT */
/* The one door for wrappers: a wait begins, a wait ends, something is released.
 *
 * A wrapper tries without waiting first and counts a success (activity_count); only a call that has
 * to wait comes through activity_begin and activity_end, where clocks are read: it has time to
 * spare.
 *
 * Blame: whoever releases what others wait for adds the time since the release before it to its
 * call path's sum, which the object keeps (activity_release); each waiter looks at the sums when
 * its wait begins and when it ends, and divides exactly its own waiting time by their differences.
 * So blame and waiting time of an object agree to the nanosecond, and nothing is shared but the
 * object's sums.
 *
 * Context: own thread. A wait inside a signal handler that interrupted a wait is not measured
 * (begin returns false). A wait that cancellation or a jump left without activity_end is closed at
 * the thread's next sample or wait, and so is what it left in the midst of this tool's own code.
 * Never changes errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/locks/objects.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"
#include "preload/waits/object_life.h"
#include "preload/waits/wait_rows.h"

/* A call that did not wait. */
static inline void activity_count(struct thread *thread, const void *object,
				  enum operation operation, uint64_t caller)
{
	call_counts_add(&thread->counts, object, operation, caller);
}

/* Something begins to live at that address, or ends: whatever is counted or waited for there from
 * then on is another one, for all threads. After the real call, when that has succeeded. thread:
 * NULL: nothing is measured. */
static inline void activity_object_begins(const struct thread *thread, const volatile void *object,
					  enum object_kind kind, uint64_t caller)
{
	if (thread)
		object_life_begin((const void *)object, kind, caller);
}

static inline void activity_object_ends(const struct thread *thread, const volatile void *object,
					enum object_kind kind)
{
	if (thread)
		object_life_end((const void *)object, kind);
}

/* False: not measured, do not call activity_end. address may be NULL (sleep). */
bool activity_begin(struct thread *thread, enum cause cause, enum operation operation,
		    const void *address, const struct site *site);
void activity_end(struct thread *thread, enum outcome outcome);

/* The wait that was begun just now had lasted since since_ns. */
void activity_began(struct thread *thread, uint64_t since_ns);

/* What the thread is waiting for, for whom reads the profile of a program that was killed. object:
 * its row. */
void activity_show(struct thread *thread, uint16_t object);

/* It was no wait after all: nothing is recorded. */
void activity_cancel(struct thread *thread);

/* Did anyone wait for what lies at that address? Cheap; true may be a coincidence. */
static inline bool activity_is_awaited(const void *address)
{
	return unlikely(__atomic_load_n(object_waiters_of(address), __ATOMIC_RELAXED) != 0);
}

/* Before the real unlock, signal, post: only where activity_is_awaited. */
void activity_release(struct thread *thread, const void *address, enum object_kind kind,
		      const struct site *site);

/* The same for a lock that several may hold at once, when `others` still hold it; and when one of
 * them took it while others waited (holds.h). */
void activity_release_shared(struct thread *thread, const void *address, enum object_kind kind,
			     uint32_t others, const struct site *site);
void activity_take_shared(struct thread *thread, const void *address, enum object_kind kind);

/* Before the real signal or broadcast of a condition that is awaited. */
void activity_signal(struct thread *thread, const void *condition, bool is_for_all,
		     const struct site *site);

/* What others share and the calling thread may have left in the midst of it (siglongjmp,
 * asynchronous cancellation) is free again. */
void activity_let_go(void);

/* A sleep within a wait that is measured, as MPI_Init has by the thousand: the wait ends later than
 * the kernel's rings are full of switches. */
void activity_within_wait(struct thread *thread);

/* A wait of a condition begins: `mutex` is released meanwhile. As activity_begin. */
bool activity_begin_condition(struct thread *thread, enum operation operation,
			      const void *condition, const void *mutex, const struct site *site);

/* Arrival at a barrier of so many (0: not known). As activity_begin. */
bool activity_begin_barrier(struct thread *thread, const void *barrier, unsigned participants,
			    const struct site *site);

/* Waiting for the end of another thread, whose record may be NULL. Ends by activity_end. */
bool activity_begin_join(struct thread *thread, struct thread *target, enum operation operation,
			 const struct site *site);

/* For calls that keep accounts of their own (MPI): in a wait of that cause since now_ns, and out of
 * it. False: it lies inside another wait, or in a signal handler, and is not to be measured. */
bool activity_may_enter(struct thread *thread, const struct site *site);

/* Something is under way, says the record: where the stack that begins at this frame says that it
 * was left, it is over. */
void activity_look(struct thread *thread, const struct unwind_frame *frame);
void activity_enter(struct thread *thread, enum cause cause, uint32_t path, const struct site *site,
		    uint64_t now_ns);
void activity_leave(struct thread *thread, uint64_t now_ns);

/* The thread is about to end: nothing of it may stay behind in shared counters. */
void activity_finish(struct thread *thread);
