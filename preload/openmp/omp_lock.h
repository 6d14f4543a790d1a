/* SPDX-License-Identifier: MIT */
/* critical, atomic, ordered and OpenMP's locks: waits with an object, and blame for its holder.
 *
 * Programs take these a million times a second, contended or not, so that no wait is announced and
 * no release is told. A counter of those who hold a lock or want it, found by hash of its address,
 * says whether somebody may be in the way: only then clocks are read. (Two locks that share a
 * counter are timed more often than they need.) Who takes a lock leaves the place; who had to wait
 * for it charges that one, or, if others came in between, the holders one after the other, as each
 * of those who waited has published when the holder before it was done. Context: own thread. */
#pragma once

#include "preload/openmp/omp_lock_filter.h"
#include "preload/openmp/omp_wait.h"

/* Around a call that may wait. is_sure: somebody has it; else it was no wait if it took less than
 * OMP_TURN_NS. NULL: not measured, do not call the others. */
struct omp_thread *omp_lock_wait_begin(enum omp_construct construct, enum operation operation,
				       const void *address, bool is_sure, const struct site *site);
/* It has the lock; before omp_lock_taken. */
void omp_lock_wait_end(struct omp_thread *omp, uint64_t caller);
/* A thread took it by a try while others waited; before omp_lock_taken. */
void omp_lock_overtaken(struct thread *thread, const void *address);
/* It was none. */
void omp_lock_wait_cancel(struct omp_thread *omp);
