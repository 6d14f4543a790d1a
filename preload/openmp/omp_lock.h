/* SPDX-License-Identifier: MIT */
/* critical, atomic, ordered and OpenMP's locks: waits with an object, and blame for its holder.
 *
 * critical has no call that only tries: a counter of those who hold or want it, found by hash of
 * the address, says whether somebody may be in the way. Only then clocks are read. Two locks that
 * share a counter are timed more often than they need, no more. Context: own thread. */
#pragma once

#include "omp_wait.h"

enum { OMP_LOCK_COUNTERS = 1024 };

/* Threads that hold it or want it. */
extern uint32_t omp_lock_wanted[OMP_LOCK_COUNTERS] __attribute__((visibility("hidden")));

static inline unsigned omp_lock_index(const void *address)
{
	return (unsigned)(((uint64_t)address * 0x9e3779b97f4a7c15u) >> 54) % OMP_LOCK_COUNTERS;
}

static inline uint32_t *omp_lock_counter(const void *address)
{
	return &omp_lock_wanted[omp_lock_index(address)];
}

/* A wait for a lock; activity_begin and activity_end, which also tell the construct in which it
 * was. False: not measured, do not call the other. */
bool omp_lock_wait_begin(struct thread *thread, enum operation operation, const void *address,
			 const struct site *site);
void omp_lock_wait_end(struct thread *thread, enum omp_construct construct, uint64_t caller);

/* Was the wait that is under way long enough to be one? (ordered) */
bool omp_lock_was_waited(const struct thread *thread);

/* ordered: a wait for the turn of this iteration, if it is one; the object is the place of the
 * block. NULL: not measured, do not call omp_ordered_begun. */
struct thread *omp_ordered_begin(const struct site *site);
void omp_ordered_begun(struct thread *thread, uint64_t caller);
void omp_ordered_end(const struct site *site);

/* Fork child: who held them is no more. */
void omp_lock_reset(void);
