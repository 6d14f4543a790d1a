/* SPDX-License-Identifier: MIT */
/* Waits in the OpenMP runtime: at barriers, for tasks, and between the bodies of regions. A thread
 * in such a wait is not useful, whether it spins or sleeps. Tasks that it runs meanwhile interrupt
 * the wait. Context: own thread; never changes errno. */
#pragma once

#include "preload/base/interrupted.h"
#include "preload/life/lifecycle.h"
#include "preload/openmp/omp_thread.h"
#include "preload/waits/activity.h"

/* The calling thread; NULL: not to be measured. */
static inline struct omp_thread *omp_here(void)
{
	return omp_thread_of(thread_or_adopt());
}

static inline void omp_wait_enter(struct omp_thread *omp, struct row_omp_constructs *row,
				  uint32_t place, uint64_t sp, uint64_t now_ns)
{
	struct omp_wait *wait = &omp->wait;

	wait->since_ns = now_ns;
	wait->row = row;
	wait->sp = sp;
	wait->place = place;
	omp->row->since_ns = now_ns;
	activity_enter(omp->thread, CAUSE_OPENMP, place, &(struct site){.sp = sp}, now_ns);
}

/* Stops the clock of the wait; omp_wait_enter continues it. */
static inline void omp_wait_pause(struct omp_thread *omp, uint64_t now_ns)
{
	uint64_t ns = now_ns - omp->wait.since_ns;

	/* a signal handler on another stack may have taken it for a wait that was left */
	if (likely(omp->thread->wait.frame == omp->wait.sp))
		activity_leave(omp->thread, now_ns);
	omp->row->since_ns = 0;
	omp->row->wait_ns += ns;
	omp->thread->waited_ns[CAUSE_OPENMP] += ns;
	if (!omp->wait.row)
		omp->row->outside_ns += ns;
	omp->wait.sum_ns += ns;
}

/* A member's time outside of bodies: before its first, between two, and after its last. */
static inline void omp_wait_outside(struct omp_thread *omp, uint64_t sp, uint64_t now_ns)
{
	omp->wait.sum_ns = 0;
	omp_wait_enter(omp, NULL, 0, sp, now_ns);
}

static inline void omp_wait_outside_end(struct omp_thread *omp, uint64_t now_ns)
{
	omp_wait_pause(omp, now_ns);
	omp->wait.since_ns = 0;
}

/* Code of the program is about to run within the thread's wait. False: it is in none. */
static inline bool omp_wait_suspend(struct omp_thread *omp, struct omp_wait *outer)
{
	if (!omp->wait.since_ns)
		return false;
	busy_begin(&omp->thread->is_busy);
	omp_wait_pause(omp, omp_now_ns(omp));
	*outer = omp->wait;
	omp->wait.since_ns = 0;
	busy_end(&omp->thread->is_busy);
	return true;
}

/* After omp_wait_suspend. */
static inline void omp_wait_resume(struct omp_thread *omp, const struct omp_wait *outer)
{
	if (unlikely(!omp_is_current(omp)))
		return;
	busy_begin(&omp->thread->is_busy);
	omp->wait = *outer;
	omp_wait_enter(omp, outer->row, outer->place, outer->sp, omp_now_ns(omp));
	busy_end(&omp->thread->is_busy);
}

/* A construct in which the thread waits for others. NULL: not measured, do not call
 * omp_wait_end. */
struct omp_thread *omp_wait_begin(enum omp_construct construct, const struct site *site);
void omp_wait_end(struct omp_thread *omp);
/* The same, but not counted if it was shorter than least_ns: then it was no wait. */
void omp_wait_end_from(struct omp_thread *omp, uint64_t least_ns);

enum { OMP_TURN_NS = 300 }; /* with a shorter wait, the turn was there already */

/* A worker is idle: from its birth, or from the end of a body on. */
void omp_wait_idle(struct omp_thread *omp, uint64_t sp);
void omp_wait_idle_end(struct omp_thread *omp);

/* A construct of which only the length is known. */
void omp_construct_lasted(struct omp_thread *omp, enum omp_construct construct, uint64_t caller,
			  uint64_t ns);

/* A construct that is only counted; returns its row, which may be NULL. */
struct row_omp_constructs *omp_count(struct omp_thread *omp, enum omp_construct construct,
				     uint64_t caller);
