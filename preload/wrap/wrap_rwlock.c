/* SPDX-License-Identifier: MIT */
/* pthread_rwlock_* and pthread_spin_*: tried first, measured only where the try fails. glibc's
 * tries heed the preference for writers just as its locks do, so no order changes. Its timed locks
 * look at clock and time before they look at the lock: bad ones are not tried. */
#include "activity.h"
#include "real.h"
#include "sync_thread.h"
#include "time_limit.h"

#include <errno.h>

static enum outcome outcome_of(int result)
{
	return result == 0 ? OUTCOME_DONE : result == ETIMEDOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
}

/* WAITING(name, parameters, arguments, may_try, try, cause, operation): a call that is tried first.
 */
#define WAITING(name, parameters, arguments, may_try, try_call, cause, operation)                  \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		int result = (may_try) ? real.try_call(lock) : EBUSY;                              \
		if (likely(result != EBUSY)) {                                                     \
			activity_count(thread, (const void *)lock, operation, CALLER_HERE);        \
			return result;                                                             \
		}                                                                                  \
		bool is_measured =                                                                 \
			activity_begin(thread, cause, operation, (const void *)lock, SITE_HERE);   \
		result = real.name arguments;                                                      \
		if (is_measured)                                                                   \
			activity_end(thread, outcome_of(result));                                  \
		else                                                                               \
			activity_count(thread, (const void *)lock, operation, CALLER_HERE);        \
		return result;                                                                     \
	}

WAITING(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), true, pthread_rwlock_tryrdlock,
	CAUSE_RWLOCK, OP_RWLOCK_READ)
WAITING(pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, const struct timespec *until),
	(lock, until), time_limit_is_valid(CLOCK_REALTIME, until), pthread_rwlock_tryrdlock,
	CAUSE_RWLOCK, OP_RWLOCK_READ)
WAITING(pthread_rwlock_clockrdlock,
	(pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
	(lock, clock, until), time_limit_is_valid(clock, until), pthread_rwlock_tryrdlock,
	CAUSE_RWLOCK, OP_RWLOCK_READ)
WAITING(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), true, pthread_rwlock_trywrlock,
	CAUSE_RWLOCK, OP_RWLOCK_WRITE)
WAITING(pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, const struct timespec *until),
	(lock, until), time_limit_is_valid(CLOCK_REALTIME, until), pthread_rwlock_trywrlock,
	CAUSE_RWLOCK, OP_RWLOCK_WRITE)
WAITING(pthread_rwlock_clockwrlock,
	(pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
	(lock, clock, until), time_limit_is_valid(clock, until), pthread_rwlock_trywrlock,
	CAUSE_RWLOCK, OP_RWLOCK_WRITE)
WAITING(pthread_spin_lock, (pthread_spinlock_t * lock), (lock), true, pthread_spin_trylock,
	CAUSE_SPINLOCK, OP_SPIN_LOCK)

/* COUNTED(name, type, operation): a call that never waits. */
#define COUNTED(name, type, operation)                                                             \
	EXPORTED int name(type *lock)                                                              \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (likely(thread))                                                                \
			activity_count(thread, (const void *)lock, operation, CALLER_HERE);        \
		return real.name(lock);                                                            \
	}

COUNTED(pthread_rwlock_tryrdlock, pthread_rwlock_t, OP_RWLOCK_TRYREAD)
COUNTED(pthread_rwlock_trywrlock, pthread_rwlock_t, OP_RWLOCK_TRYWRITE)
COUNTED(pthread_spin_trylock, pthread_spinlock_t, OP_SPIN_TRYLOCK)

/* RELEASING(name, type, kind, operation): an unlock. */
#define RELEASING(name, type, kind, operation)                                                     \
	EXPORTED int name(type *lock)                                                              \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (likely(thread)) {                                                              \
			activity_count(thread, (const void *)lock, operation, CALLER_HERE);        \
			if (activity_is_awaited((const void *)lock))                               \
				activity_release(thread, (const void *)lock, kind, SITE_HERE);     \
		}                                                                                  \
		return real.name(lock);                                                            \
	}

RELEASING(pthread_rwlock_unlock, pthread_rwlock_t, OBJECT_RWLOCK, OP_RWLOCK_UNLOCK)
RELEASING(pthread_spin_unlock, pthread_spinlock_t, OBJECT_SPINLOCK, OP_SPIN_UNLOCK)

static void born(const void *lock, enum object_kind kind, uint64_t caller)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return;
	object_initialised(lock, kind, caller);
	tally_forget(&thread->tally, lock);
}

static void died(const void *lock, enum object_kind kind)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return;
	object_destroyed(lock, kind);
	tally_forget(&thread->tally, lock);
}

EXPORTED int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	born(lock, OBJECT_RWLOCK, CALLER_HERE);
	return real.pthread_rwlock_init(lock, attributes);
}

EXPORTED int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	died(lock, OBJECT_RWLOCK);
	return real.pthread_rwlock_destroy(lock);
}

EXPORTED int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	born((const void *)lock, OBJECT_SPINLOCK, CALLER_HERE);
	return real.pthread_spin_init(lock, shared);
}

EXPORTED int pthread_spin_destroy(pthread_spinlock_t *lock)
{
	died((const void *)lock, OBJECT_SPINLOCK);
	return real.pthread_spin_destroy(lock);
}
