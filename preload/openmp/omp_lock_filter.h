/* SPDX-License-Identifier: MIT */
/* Who holds OpenMP's locks and critical sections, and who wants them: a table by hash of the
 * address. Any thread. */
#pragma once

#include "preload/base/hash.h"

#include <stdbool.h>
#include <stdint.h>

enum { OMP_LOCKS = 1024 };

struct omp_lock {
	uint32_t wanted;  /* atomic: threads that hold it or want it; where it cannot be tried */
	uint32_t waiting; /* atomic: of these, those that are timed */
	uint64_t holder;  /* atomic: the call that took it last; 0: not known */
	uint64_t address; /* atomic: which one that took */
	uint64_t held;    /* atomic: the address of one that somebody has just now; 0: none */
};

extern struct omp_lock omp_locks[OMP_LOCKS] __attribute__((visibility("hidden")));

static inline struct omp_lock *omp_lock_of(const void *address)
{
	return &omp_locks[hash_slot((uint64_t)address, OMP_LOCKS)];
}

/* True: somebody may be in the way. */
static inline bool omp_lock_want(const void *address)
{
	return __atomic_fetch_add(&omp_lock_of(address)->wanted, 1, __ATOMIC_RELAXED) != 0;
}

/* Of those that cannot be tried: the caller has it, and is about to give it back. That somebody
 * wants one may only mean that he lost his processor on his way in or out. */
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

	/* most are taken at the same place as before: then the cache line need not travel */
	if (__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) != caller)
		__atomic_store_n(&lock->holder, caller, __ATOMIC_RELAXED);
	if (__atomic_load_n(&lock->address, __ATOMIC_RELAXED) != (uint64_t)address)
		__atomic_store_n(&lock->address, (uint64_t)address, __ATOMIC_RELAXED);
}

/* Some thread is timed while it waits for it, or for one that shares its place. */
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

	/* a fork child leaves what its parent has taken */
	if (__builtin_expect(__atomic_fetch_sub(wanted, 1, __ATOMIC_RELAXED) == 0, 0))
		__atomic_store_n(wanted, 0, __ATOMIC_RELAXED);
}

/* Fork child: who held them is no more. */
void omp_lock_reset(void);
