/* SPDX-License-Identifier: MIT */
/* Which threads hold OpenMP's locks and critical sections, or want them: a table by hash of the
 * address. Any thread. */
#pragma once

#include "preload/base/hash.h"

#include <stdbool.h>
#include <stdint.h>

enum { OMP_LOCKS = 1024 };

struct omp_lock {
	uint32_t wanted;  /* atomic: threads that hold or want it; if it cannot be tried */
	uint32_t waiting; /* atomic: threads whose wait for it is measured */
	uint64_t holder;  /* atomic: the place that took it last; 0: not known */
	uint64_t address; /* atomic: of the lock that was taken there */
	uint64_t held;    /* atomic: address of a lock that is held now; 0: none */
};

extern struct omp_lock omp_locks[OMP_LOCKS] __attribute__((visibility("hidden")));

static inline struct omp_lock *omp_lock_of(const void *address)
{
	return &omp_locks[hash_slot((uint64_t)address, OMP_LOCKS)];
}

/* True: another thread may be in the way. */
static inline bool omp_lock_want(const void *address)
{
	return __atomic_fetch_add(&omp_lock_of(address)->wanted, 1, __ATOMIC_RELAXED) != 0;
}

/* For locks that cannot be tried: the caller has it; is about to release it. (A thread that is
 * merely counted may have lost its processor while entering or leaving.) */
static inline void omp_lock_has(const void *address)
{
	__atomic_store_n(&omp_lock_of(address)->held, (uint64_t)address, __ATOMIC_RELAXED);
}

static inline void omp_lock_leaves(const void *address)
{
	__atomic_store_n(&omp_lock_of(address)->held, 0, __ATOMIC_RELAXED);
}

static inline bool omp_lock_is_held(const void *address)
{
	return __atomic_load_n(&omp_lock_of(address)->held, __ATOMIC_RELAXED) == (uint64_t)address;
}

static inline void omp_lock_taken(const void *address, uint64_t caller)
{
	struct omp_lock *lock = omp_lock_of(address);

	/* mostly the place is the same as before: then the cache line is not written */
	if (__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) != caller)
		__atomic_store_n(&lock->holder, caller, __ATOMIC_RELAXED);
	if (__atomic_load_n(&lock->address, __ATOMIC_RELAXED) != (uint64_t)address)
		__atomic_store_n(&lock->address, (uint64_t)address, __ATOMIC_RELAXED);
}

/* Whether a thread's wait for it, or for a lock with the same hash, is measured. */
static inline bool omp_lock_is_awaited(const void *address)
{
	return __builtin_expect(
		__atomic_load_n(&omp_lock_of(address)->waiting, __ATOMIC_RELAXED) != 0, 0);
}

/* 0: not known. */
static inline uint64_t omp_lock_holder(const void *address)
{
	const struct omp_lock *lock = omp_lock_of(address);

	return __atomic_load_n(&lock->address, __ATOMIC_RELAXED) == (uint64_t)address
		       ? __atomic_load_n(&lock->holder, __ATOMIC_RELAXED)
		       : 0;
}

static inline void omp_lock_left(const void *address)
{
	uint32_t *wanted = &omp_lock_of(address)->wanted;

	/* a fork child may leave what its parent has taken */
	if (__builtin_expect(__atomic_fetch_sub(wanted, 1, __ATOMIC_RELAXED) == 0, 0))
		__atomic_store_n(wanted, 0, __ATOMIC_RELAXED);
}

/* Fork child: the holders are the parent's. */
void omp_lock_reset(void);
