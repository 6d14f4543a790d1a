/* SPDX-License-Identifier: MIT */
/* critical, atomic, ordered and OpenMP's locks: waits with an object, and blame for its holder.
 *
 * Programs take these a million times a second, contended or not, so no release is recorded. A
 * counter of the threads that hold a lock or want it, found by hash of its address, tells whether
 * another thread may be in the way: only then clocks are read. (Two locks with one counter are
 * timed more often than necessary.) A thread that takes a lock stores its place; a thread that had
 * to wait charges that place, or, if others came in between, the holders one after the other,
 * because each of those that waited has published when its predecessor was done. Context: own
 * thread. */
#pragma once

#include "preload/openmp/omp_lock_filter.h"
#include "preload/openmp/omp_wait.h"

/* Before a call that may wait. is_sure: another thread has the lock; otherwise it was no wait if it
 * took less than OMP_TURN_NS. NULL: not measured, do not call the others. */
struct omp_thread *omp_lock_wait_begin(enum omp_construct construct, enum operation operation,
				       const void *address, bool is_sure, const struct site *site);
/* The thread has the lock; before omp_lock_taken. */
void omp_lock_wait_end(struct omp_thread *omp, uint64_t caller);
/* A thread took the lock by a try while others waited; before omp_lock_taken. */
void omp_lock_overtaken(struct thread *thread, const void *address);
/* It was no wait. */
void omp_lock_wait_cancel(struct omp_thread *omp);
