/* SPDX-License-Identifier: MIT */
/* pthread_mutex_* and C11 mtx_*.
 *
 * A lock that is free costs a try, which is what glibc's lock does first, and one counter. Only where the try fails is anything
 * measured. Kinds whose lock must report something else (robust, priority inheritance and protection) are not tried: glibc's try on
 * a mutex that is not recoverable leaves it locked for ever (glibc 2.36). They are called straight on, timed if they look taken. */
#include "activity.h"
#include "lifecycle.h"
#include "real.h"
#include "sync_thread.h"

#include <errno.h>

enum { KINDS_NOT_TRIED = 0x7c }; /* robust 16, inheritance 32, protection 64, and bits yet unknown */

static inline bool may_try(const pthread_mutex_t *mutex)
{
	return likely(!(mutex->__data.__kind & KINDS_NOT_TRIED));
}

static enum outcome outcome_of(int result)
{
	if (result == 0 || result == EOWNERDEAD)
		return OUTCOME_DONE;
	return result == ETIMEDOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
}

/* Has the call to wait? Counts it if not; *result is the call's then. */
static inline bool must_wait(struct thread *thread, pthread_mutex_t *mutex, enum operation operation,
			     uint64_t caller, int *result)
{
	if (!may_try(mutex))
		return mutex->__data.__lock != 0;
	*result = real.pthread_mutex_trylock(mutex);
	if (unlikely(*result == EBUSY))
		return true;
	activity_count(thread, mutex, operation, caller);
	return false;
}

/* A mutex that may not be tried, and looked free. */
static int count_untried(struct thread *thread, pthread_mutex_t *mutex, enum operation operation,
			 uint64_t caller, int result)
{
	activity_count(thread, mutex, operation, caller);
	return result;
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_thread();
	int result;

	if (unlikely(!thread))
		return real.pthread_mutex_lock(mutex);
	if (likely(!must_wait(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE, &result)))
		return may_try(mutex) ? result
				      : count_untried(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE,
						      real.pthread_mutex_lock(mutex));
	bool is_measured = activity_begin(thread, CAUSE_MUTEX, OP_MUTEX_LOCK, mutex, SITE_HERE);
	result = real.pthread_mutex_lock(mutex);
	if (is_measured)
		activity_end(thread, outcome_of(result));
	else
		activity_count(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE);
	return result;
}

EXPORTED int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	struct thread *thread = sync_thread();
	int result;

	if (unlikely(!thread))
		return real.pthread_mutex_timedlock(mutex, until);
	if (!must_wait(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE, &result))
		return may_try(mutex) ? result
				      : count_untried(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE,
						      real.pthread_mutex_timedlock(mutex, until));
	bool is_measured = activity_begin(thread, CAUSE_MUTEX, OP_MUTEX_TIMEDLOCK, mutex, SITE_HERE);
	result = real.pthread_mutex_timedlock(mutex, until);
	if (is_measured)
		activity_end(thread, outcome_of(result));
	else
		activity_count(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE);
	return result;
}

EXPORTED int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
				     const struct timespec *until)
{
	struct thread *thread = sync_thread();
	int result;

	if (unlikely(!thread))
		return real.pthread_mutex_clocklock(mutex, clock, until);
	if (!must_wait(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE, &result))
		return may_try(mutex)
			       ? result
			       : count_untried(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE,
					       real.pthread_mutex_clocklock(mutex, clock, until));
	bool is_measured = activity_begin(thread, CAUSE_MUTEX, OP_MUTEX_TIMEDLOCK, mutex, SITE_HERE);
	result = real.pthread_mutex_clocklock(mutex, clock, until);
	if (is_measured)
		activity_end(thread, outcome_of(result));
	else
		activity_count(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE);
	return result;
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_thread();

	if (likely(thread))
		activity_count(thread, mutex, OP_MUTEX_TRYLOCK, CALLER_HERE);
	return real.pthread_mutex_trylock(mutex);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_thread();

	if (likely(thread)) {
		thread->row->unlocks++;
		if (activity_is_awaited(mutex))
			activity_release(thread, mutex, OBJECT_MUTEX, SITE_HERE);
	}
	return real.pthread_mutex_unlock(mutex);
}

static void remember(struct thread *thread, const void *mutex, enum operation operation,
		     uint64_t caller)
{
	activity_count(thread, NULL, operation, caller);
	if (operation == OP_MUTEX_INIT)
		object_initialised(mutex, OBJECT_MUTEX, caller);
	else
		object_destroyed(mutex, OBJECT_MUTEX);
	tally_forget(&thread->tally, mutex);
}

EXPORTED int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	struct thread *thread = sync_thread();

	if (thread)
		remember(thread, mutex, OP_MUTEX_INIT, CALLER_HERE);
	return real.pthread_mutex_init(mutex, attributes);
}

EXPORTED int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_thread();

	if (thread)
		remember(thread, mutex, OP_MUTEX_DESTROY, CALLER_HERE);
	return real.pthread_mutex_destroy(mutex);
}

/* ---- C11; glibc's mtx_t is a pthread_mutex_t ---- */

static enum outcome c11_outcome(int result)
{
	return result == thrd_success  ? OUTCOME_DONE
	       : result == thrd_timedout ? OUTCOME_TIMEOUT
					 : OUTCOME_FAILED;
}

EXPORTED int mtx_lock(mtx_t *mutex)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.mtx_lock(mutex);
	int result = real.mtx_trylock(mutex);
	bool is_measured = result == thrd_busy && activity_begin(thread, CAUSE_MUTEX, OP_MUTEX_LOCK,
								 mutex, SITE_HERE);
	if (result == thrd_busy)
		result = real.mtx_lock(mutex);
	if (is_measured)
		activity_end(thread, c11_outcome(result));
	else
		activity_count(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE);
	return result;
}

EXPORTED int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.mtx_timedlock(mutex, until);
	int result = real.mtx_trylock(mutex);
	bool is_measured =
		result == thrd_busy && activity_begin(thread, CAUSE_MUTEX, OP_MUTEX_TIMEDLOCK, mutex, SITE_HERE);
	if (result == thrd_busy)
		result = real.mtx_timedlock(mutex, until);
	if (is_measured)
		activity_end(thread, c11_outcome(result));
	else
		activity_count(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE);
	return result;
}

EXPORTED int mtx_trylock(mtx_t *mutex)
{
	struct thread *thread = sync_thread();

	if (thread)
		activity_count(thread, mutex, OP_MUTEX_TRYLOCK, CALLER_HERE);
	return real.mtx_trylock(mutex);
}

EXPORTED int mtx_unlock(mtx_t *mutex)
{
	struct thread *thread = sync_thread();

	if (thread) {
		thread->row->unlocks++;
		if (activity_is_awaited(mutex))
			activity_release(thread, mutex, OBJECT_MUTEX, SITE_HERE);
	}
	return real.mtx_unlock(mutex);
}

EXPORTED int mtx_init(mtx_t *mutex, int type)
{
	struct thread *thread = sync_thread();

	if (thread)
		remember(thread, mutex, OP_MUTEX_INIT, CALLER_HERE);
	return real.mtx_init(mutex, type);
}

EXPORTED void mtx_destroy(mtx_t *mutex)
{
	struct thread *thread = sync_thread();

	if (thread)
		remember(thread, mutex, OP_MUTEX_DESTROY, CALLER_HERE);
	real.mtx_destroy(mutex);
}
