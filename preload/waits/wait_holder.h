/* SPDX-License-Identifier: MIT */
/* Who holds what a thread is about to wait for, as the lock's own memory says it: libc keeps the
 * holder's number in a mutex, and the writer's in a read-write lock. Both words are in libc's
 * public headers, because programs initialise them. Readers are only counted.
 *
 * Context: own thread, within the call: it has tried the lock, so its memory is there. */
#pragma once

#include <pthread.h>

#include "preload/thread/thread.h"

/* The holder's thread number; 0: none, or not known. */
static inline uint32_t wait_holder(const struct open_wait *wait)
{
	if (!wait->address)
		return 0;
	if (wait->cause == CAUSE_MUTEX) {
		const pthread_mutex_t *mutex = wait->address;
		return (uint32_t)__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
	}
	if (wait->cause == CAUSE_RWLOCK) {
		const pthread_rwlock_t *lock = wait->address;
		return (uint32_t)__atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
	}
	return 0;
}
