/* SPDX-License-Identifier: MIT */
/* sem_*, also named semaphores. A failed trywait sets errno, which a wait that succeeds must not
 * do: it is restored. What glibc checks first is checked before the trywait as well: clock and
 * time, and then, in sem_wait and sem_timedwait but not in sem_clockwait (glibc 2.36), whether the
 * thread is to be cancelled. */
#include "preload/base/direct.h"
#include "preload/base/time_limit.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/release.h"
#include "preload/waits/wait_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static enum outcome outcome_of(int result)
{
	return result == 0 ? OUTCOME_DONE : errno == ETIMEDOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
}

/* True: it was free, and is taken now. */
static inline bool try(struct thread *thread, sem_t *semaphore, enum operation operation,
		       uint64_t caller)
{
	int saved = errno;

	if (likely(real.sem_trywait(semaphore) == 0)) {
		activity_count(thread, semaphore, operation, caller);
		return true;
	}
	errno = saved;
	return false;
}

EXPORTED int sem_wait(sem_t *semaphore)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.sem_wait(semaphore);
	direct.pthread_testcancel();
	if (likely(try(thread, semaphore, OP_SEM_WAIT, CALLER_HERE)))
		return 0;
	struct wait_call call =
		wait_call_begin_rated(thread, CAUSE_SEMAPHORE, OP_SEM_WAIT, semaphore, SITE_HERE);
	int result = real.sem_wait(semaphore);
	wait_call_end(&call, outcome_of(result));
	return result;
}

EXPORTED int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.sem_timedwait(semaphore, until);
	if (likely(time_limit_is_valid(CLOCK_REALTIME, until))) {
		direct.pthread_testcancel();
		if (likely(try(thread, semaphore, OP_SEM_TIMEDWAIT, CALLER_HERE)))
			return 0;
	}
	struct wait_call call = wait_call_begin_rated(thread, CAUSE_SEMAPHORE, OP_SEM_TIMEDWAIT,
						      semaphore, SITE_HERE);
	int result = real.sem_timedwait(semaphore, until);
	wait_call_end(&call, outcome_of(result));
	return result;
}

EXPORTED int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.sem_clockwait(semaphore, clock, until);
	if (likely(time_limit_is_valid(clock, until)) &&
	    likely(try(thread, semaphore, OP_SEM_TIMEDWAIT, CALLER_HERE)))
		return 0;
	struct wait_call call = wait_call_begin_rated(thread, CAUSE_SEMAPHORE, OP_SEM_TIMEDWAIT,
						      semaphore, SITE_HERE);
	int result = real.sem_clockwait(semaphore, clock, until);
	wait_call_end(&call, outcome_of(result));
	return result;
}

EXPORTED int sem_trywait(sem_t *semaphore)
{
	struct thread *thread = sync_thread();

	if (likely(thread))
		activity_count(thread, semaphore, OP_SEM_TRYWAIT, CALLER_HERE);
	return real.sem_trywait(semaphore);
}

/* May be called from a signal handler. */
EXPORTED int sem_post(sem_t *semaphore)
{
	struct thread *thread = sync_thread();

	if (likely(thread)) {
		activity_count(thread, semaphore, OP_SEM_POST, CALLER_HERE);
		if (release_is_awaited(semaphore))
			release_object(thread, semaphore, OBJECT_SEMAPHORE, SITE_HERE);
	}
	return real.sem_post(semaphore);
}

EXPORTED int sem_init(sem_t *semaphore, int shared, unsigned value)
{
	struct thread *thread = sync_thread();
	int result = real.sem_init(semaphore, shared, value);

	if (!result)
		activity_object_begins(thread, semaphore, OBJECT_SEMAPHORE, CALLER_HERE);
	return result;
}

EXPORTED int sem_destroy(sem_t *semaphore)
{
	struct thread *thread = sync_thread();
	int result = real.sem_destroy(semaphore);

	if (!result)
		activity_object_ends(thread, semaphore, OBJECT_SEMAPHORE);
	return result;
}

/* ---- named ones: opened twice, it is one object, which ends with the last close ---- */

enum { NAMED = 128 };

static struct {
	uint64_t address; /* atomic; 0: free */
	uint32_t opens;   /* atomic */
} named[NAMED];

/* NULL: no room; then it is assumed never to end. */
static uint32_t *opens_of(const sem_t *semaphore)
{
	for (int i = 0; i < NAMED; i++) {
		uint64_t seen = __atomic_load_n(&named[i].address, __ATOMIC_ACQUIRE);
		if (seen == (uint64_t)semaphore ||
		    (!seen &&
		     __atomic_compare_exchange_n(&named[i].address, &seen, (uint64_t)semaphore,
						 false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) ||
		    seen == (uint64_t)semaphore)
			return &named[i].opens;
	}
	return NULL;
}

EXPORTED sem_t *sem_open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	unsigned value = 0;

	real_need();
	if (flags & O_CREAT) {
		va_list rest;
		va_start(rest, flags);
		mode = va_arg(rest, mode_t);
		value = va_arg(rest, unsigned);
		va_end(rest);
	}
	sem_t *semaphore = real.sem_open(name, flags, mode, value);
	struct thread *thread = semaphore != SEM_FAILED ? sync_thread() : NULL;
	if (!thread)
		return semaphore;
	uint32_t *opens = opens_of(semaphore);
	if (opens && !__atomic_fetch_add(opens, 1, __ATOMIC_RELAXED))
		activity_object_begins(thread, semaphore, OBJECT_SEMAPHORE, CALLER_HERE);
	return semaphore;
}

/* Before the real call: after the last close its address may be another object's. */
EXPORTED int sem_close(sem_t *semaphore)
{
	struct thread *thread = sync_thread();
	uint32_t *opens = thread ? opens_of(semaphore) : NULL;

	if (opens && __atomic_load_n(opens, __ATOMIC_RELAXED) &&
	    !__atomic_sub_fetch(opens, 1, __ATOMIC_RELAXED))
		activity_object_ends(thread, semaphore, OBJECT_SEMAPHORE);
	return real.sem_close(semaphore);
}
