/* SPDX-License-Identifier: MIT */
/* Mutexes of the default kind that are free: taken and released by their own words, as libc does.
 *
 * A wrapper that calls libc's lock costs two calls and two tests of the kind for one atomic
 * instruction. The words are in libc's public header, since a program initializes them itself
 * (PTHREAD_MUTEX_INITIALIZER): __lock is 0, 1 (taken), or 2 (taken and awaited), __owner the
 * thread's id, __nusers one more. Whether libc writes the same is tried once at the start, on a
 * mutex of our own; where it does not, or where another library takes the program's locks before
 * libc does, no mutex is taken so. Everything else (waits, other kinds, calls with limits) stays
 * libc's.
 *
 * Context: any thread, signal handlers; as the calls that it replaces. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/single_threaded.h>

#include "preload/base/likely.h"

enum {
	MUTEX_FREE,
	MUTEX_TAKEN,
	MUTEX_AWAITED,
	MUTEX_NOT_ELIDED = 512, /* in the kind of one whose type was set: no other difference */
};

/* The kind of those that may be taken so; -1: none. */
extern int mutex_word_kind __attribute__((visibility("hidden")));

/* Once the originals are known: tries it out. */
void mutex_word_learn(void);

/* Lets one of those in who wait. The mutex may be gone by then. Keeps errno. */
void mutex_word_wake(int *lock);

static inline bool mutex_word_is_known(const pthread_mutex_t *mutex)
{
	return likely((mutex->__data.__kind & ~MUTEX_NOT_ELIDED) == mutex_word_kind);
}

/* False: it is not free, or not ours to take. tid: the calling thread's; 0: not known, of a child
 * that was made without libc's fork. */
static inline bool mutex_word_take(pthread_mutex_t *mutex, int32_t tid)
{
	int *lock = &mutex->__data.__lock, expected = MUTEX_FREE;

	if (!mutex_word_is_known(mutex) || unlikely(!tid))
		return false;
	/* Alone, libc spares the atomic instruction as well. */
	if (__libc_single_threaded) {
		if (*lock != MUTEX_FREE)
			return false;
		*lock = MUTEX_TAKEN;
	} else if (unlikely(!__atomic_compare_exchange_n(lock, &expected, MUTEX_TAKEN, false,
							 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) {
		return false;
	}
	mutex->__data.__owner = tid;
	mutex->__data.__nusers++;
	return true;
}

/* False: not ours to release. Of whoever holds it. */
static inline bool mutex_word_release(pthread_mutex_t *mutex)
{
	int *lock = &mutex->__data.__lock;

	if (!mutex_word_is_known(mutex))
		return false;
	mutex->__data.__owner = 0;
	mutex->__data.__nusers--;
	if (__libc_single_threaded)
		*lock = MUTEX_FREE;
	else if (unlikely(__atomic_exchange_n(lock, MUTEX_FREE, __ATOMIC_RELEASE) == MUTEX_AWAITED))
		mutex_word_wake(lock);
	return true;
}
