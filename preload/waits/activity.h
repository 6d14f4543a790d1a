/* SPDX-License-Identifier: MIT */
/* The interface for wrappers that wait: a wait begins, a wait ends (release.h: something is
 * released).
 *
 * A wrapper tries first without waiting, and counts a success (activity_count); only a call that
 * has to wait uses activity_begin and activity_end, which read clocks: it has time to spare.
 *
 * Blame: a release of what others wait for adds the time since the previous release to a sum that
 * the object keeps for the releaser's call path (release.h). Each waiter reads the sums when
 * its wait begins and when it ends, and divides its own waiting time in proportion to their
 * differences. So blame and waiting time of an object agree to the nanosecond, and only the
 * object's sums are shared.
 *
 * Context: own thread. A wait inside a signal handler that interrupted a wait is not measured
 * (begin returns false). A wait that cancellation or a jump left without activity_end is closed at
 * the thread's next sample or wait; so is what it left half done in this tool's own code. Never
 * changes errno. */
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

/* An object at that address begins or ends: what is counted or waited for there from then on is
 * another one, for all threads. After the real call, if that has succeeded. thread NULL: nothing is
 * measured. */
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

/* False: the wait is not measured, do not call activity_end. address may be NULL (sleep). */
bool activity_begin(struct thread *thread, enum cause cause, enum operation operation,
		    const void *address, const struct site *site);
void activity_end(struct thread *thread, enum outcome outcome);

/* The wait that has just begun has lasted since since_ns. */
void activity_began(struct thread *thread, uint64_t since_ns);

/* Writes what the thread is waiting for, for readers of the profile of a program that is killed.
 * object: its row. */
void activity_show(struct thread *thread, uint16_t object);

/* It was no wait: nothing is recorded. */
void activity_cancel(struct thread *thread);

/* Frees what threads share and the calling thread may have left half done (siglongjmp, asynchronous
 * cancellation). */
void activity_let_go(void);

/* A sleep within a measured wait, of which MPI_Init has thousands: drains, because the kernel's
 * rings would be full before the wait ends. */
void activity_within_wait(struct thread *thread);

/* A wait for a condition begins, which releases `mutex`. As activity_begin. */
bool activity_begin_condition(struct thread *thread, enum operation operation,
			      const void *condition, const void *mutex, const struct site *site);

/* Arrival at a barrier; participants: 0: not known. As activity_begin. */
bool activity_begin_barrier(struct thread *thread, const void *barrier, unsigned participants,
			    const struct site *site);

/* A wait for the end of another thread, whose record may be NULL. As activity_begin. */
bool activity_begin_join(struct thread *thread, struct thread *target, enum operation operation,
			 const struct site *site);

/* For calls that keep their own figures (MPI, OpenMP): first activity_may_enter, then
 * activity_enter and activity_leave around the wait, which begins and ends at now_ns. False: it is
 * inside another wait, or in a signal handler, and is not to be measured. */
bool activity_may_enter(struct thread *thread, const struct site *site);

/* If a wait or work of this tool is under way according to the record, but the stack that begins at
 * this frame shows that it was left: ends it. */
void activity_look(struct thread *thread, const struct unwind_frame *frame);
void activity_enter(struct thread *thread, enum cause cause, uint32_t path, const struct site *site,
		    uint64_t now_ns);
void activity_leave(struct thread *thread, uint64_t now_ns);

/* The end of a wait that has been charged (settle.h): now there is time to spare. is_busy. */
void activity_close(struct thread *thread, uint64_t end_ns);

/* The thread is about to end: takes it out of shared counters. */
void activity_finish(struct thread *thread);
