/* SPDX-License-Identifier: MIT */
/* Whether processes share what a thread is about to wait for, as its own memory says: libc has a
 * word for it in each (glibc's layout, which static initialisers have made a promise; of a
 * semaphore it is what sem_init has written since 2.21). A condition's mutex says it for both:
 * there are two kinds of conditions, and the old one is smaller.
 *
 * Context: own thread, within the call: the memory is there. */
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "preload/file/vocabulary.h"

static inline bool shared_object_is(const void *address, enum object_kind kind)
{
	enum { MUTEX_SHARED = 128, SEMAPHORE_AT = sizeof(uint64_t) };
	int32_t is_semaphore_shared;

	switch (kind) {
	case OBJECT_MUTEX:
		return ((const pthread_mutex_t *)address)->__data.__kind & MUTEX_SHARED;
	case OBJECT_RWLOCK:
		return ((const pthread_rwlock_t *)address)->__data.__shared;
	case OBJECT_SEMAPHORE:
		memcpy(&is_semaphore_shared, (const char *)address + SEMAPHORE_AT,
		       sizeof is_semaphore_shared);
		return is_semaphore_shared;
	default:
		return false;
	}
}
