/* SPDX-License-Identifier: MIT */
/* sem_*, named semaphores too. A failed try sets errno, which a wait that succeeds must not: it is
 * put back. What glibc tests before it takes one is tested before the try as well: the clock and
 * the time, and then, in sem_wait and sem_timedwait, but not in sem_clockwait (glibc 2.36), whether
 * the thread is to be cancelled. */
#include "activity.h"
#include "real.h"
#include "sync_thread.h"
#include "time_limit.h"

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

static inline void test_nothing(void)
{
}

/* WAITING(name, parameters, arguments, may_try, test, operation) */
#define WAITING(name, parameters, arguments, may_try, test, operation)                             \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		if (likely(may_try)) {                                                             \
			test();                                                                    \
			if (likely(try(thread, semaphore, operation, CALLER_HERE)))                \
				return 0;                                                          \
		}                                                                                  \
		bool is_measured =                                                                 \
			activity_begin(thread, CAUSE_SEMAPHORE, operation, semaphore, SITE_HERE);  \
		int result = real.name arguments;                                                  \
		if (is_measured)                                                                   \
			activity_end(thread, outcome_of(result));                                  \
		else                                                                               \
			activity_count(thread, semaphore, operation, CALLER_HERE);                 \
		return result;                                                                     \
	}

WAITING(sem_wait, (sem_t * semaphore), (semaphore), true, pthread_testcancel, OP_SEM_WAIT)
WAITING(sem_timedwait, (sem_t *restrict semaphore, const struct timespec *restrict until),
	(semaphore, until), time_limit_is_valid(CLOCK_REALTIME, until), pthread_testcancel,
	OP_SEM_TIMEDWAIT)
WAITING(sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *until),
	(semaphore, clock, until), time_limit_is_valid(clock, until), test_nothing,
	OP_SEM_TIMEDWAIT)

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
		if (activity_is_awaited(semaphore))
			activity_release(thread, semaphore, OBJECT_SEMAPHORE, SITE_HERE);
	}
	return real.sem_post(semaphore);
}

EXPORTED int sem_init(sem_t *semaphore, int shared, unsigned value)
{
	if (sync_thread())
		object_initialised(semaphore, OBJECT_SEMAPHORE, CALLER_HERE);
	return real.sem_init(semaphore, shared, value);
}

EXPORTED int sem_destroy(sem_t *semaphore)
{
	if (sync_thread())
		object_destroyed(semaphore, OBJECT_SEMAPHORE);
	return real.sem_destroy(semaphore);
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
	if (semaphore != SEM_FAILED && sync_thread())
		object_initialised(semaphore, OBJECT_SEMAPHORE, CALLER_HERE);
	return semaphore;
}

EXPORTED int sem_close(sem_t *semaphore)
{
	if (sync_thread())
		object_destroyed(semaphore, OBJECT_SEMAPHORE);
	return real.sem_close(semaphore);
}
