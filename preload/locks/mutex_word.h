/* SPDX-License-Identifier: MIT */
/* Free mutexes of the default kind: locked and unlocked by writing their words, as libc does.
 *
 * A wrapper that calls libc's lock costs two calls and two tests of the kind for one atomic
 * instruction. The words are in libc's public header, because programs initialize them
 * (PTHREAD_MUTEX_INITIALIZER): __lock is 0, 1 (taken) or 2 (taken and awaited), __owner the
 * holder's thread id, __nusers is increased by one. Whether libc writes the same is tried once at
 * the start, on a mutex of our own; if it does not, or if another library intercepts the program's
 * locks, no mutex is taken this way. Everything else (waits, other kinds, calls with limits) is
 * left to libc.
 *
 * Context: any thread, signal handlers, as the calls that it replaces. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/single_threaded.h>

#include "arch.h"
#include "preload/base/likely.h"

enum {
	MUTEX_FREE,
	MUTEX_TAKEN,
	MUTEX_AWAITED,
	MUTEX_NOT_ELIDED = 512, /* set in the kind if the type was set; no other effect */
};

/* The kind of mutexes that may be taken this way; -1: none. */
extern int mutex_word_kind __attribute__((visibility("hidden")));

/* Whether mutex_word_fetch does anything. */
extern bool mutex_word_may_fetch __attribute__((visibility("hidden")));

/* Before a lock: its line is fetched once, to be written to. Otherwise it is fetched to read the
 * kind, as libc does it, and once more to write the lock, if another processor has written to it
 * before. */
static inline void mutex_word_fetch(const pthread_mutex_t *mutex)
{
	if (likely(mutex_word_may_fetch))
		arch_fetch_to_write(mutex);
}

/* Start-up, when the originals are known: tries it, in the thread of that number. */
void mutex_word_learn(int32_t tid);

/* Wakes one waiter. The mutex may have been destroyed by then. Keeps errno. */
void mutex_word_wake(int *lock);

static inline bool mutex_word_is_known(const pthread_mutex_t *mutex)
{
	return likely((mutex->__data.__kind & ~MUTEX_NOT_ELIDED) == mutex_word_kind);
}

/* The two below, as in a process with one thread or with several: with one libc uses no atomic
 * instruction either. */
static inline bool mutex_word_take_as(bool is_alone, pthread_mutex_t *mutex, int32_t tid)
{
	int *lock = &mutex->__data.__lock, expected = MUTEX_FREE;

	if (!mutex_word_is_known(mutex) || unlikely(!tid))
		return false;
	if (is_alone) {
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

static inline bool mutex_word_release_as(bool is_alone, pthread_mutex_t *mutex)
{
	int *lock = &mutex->__data.__lock;

	if (!mutex_word_is_known(mutex))
		return false;
	mutex->__data.__owner = 0;
	mutex->__data.__nusers--;
	if (is_alone)
		*lock = MUTEX_FREE;
	else if (unlikely(__atomic_exchange_n(lock, MUTEX_FREE, __ATOMIC_RELEASE) == MUTEX_AWAITED))
		mutex_word_wake(lock);
	return true;
}

/* False: it is not free, or not to be taken this way. tid: the calling thread's; 0: not known, in a
 * child that was made without libc's fork. */
static inline bool mutex_word_take(pthread_mutex_t *mutex, int32_t tid)
{
	return mutex_word_take_as(__libc_single_threaded, mutex, tid);
}

/* By its holder. False: not to be released this way. */
static inline bool mutex_word_release(pthread_mutex_t *mutex)
{
	return mutex_word_release_as(__libc_single_threaded, mutex);
}
