/* SPDX-License-Identifier: MIT */
/* pthread_rwlock_* and pthread_spin_*: tried first, measured only where the try fails. glibc's
 * tries heed the preference for writers just as its locks do, so no order changes. Its timed locks
 * look at clock and time before they look at the lock: bad ones are not tried. */
#include "preload/base/time_limit.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/activity.h"
#include "preload/waits/object_life.h"

#include <errno.h>

static enum outcome outcome_of(int result)
{
	return result == 0 ? OUTCOME_DONE : result == ETIMEDOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
}

/* What glibc keeps in a read-write lock (2.25 and later): in the lowest bit of __readers that a
 * writer's phase is on, and above three bits how many readers there are. Several may have it: who
 * lets go while others stay lets nobody in. */
static inline bool is_written(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED) & 1;
}

static inline uint32_t other_readers(const pthread_rwlock_t *lock)
{
	uint32_t readers = __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED) >> 3;

	return readers ? readers - 1 : 0;
}

/* The bit beside it: a writer has it, or waits for readers. Asked before a try, since what follows
 * an atomic instruction waits for it. */
static inline bool is_wanted_by_writer(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED) & 2;
}

/* Readers that come while others wait are told apart from those that were there. */
static inline void taken_by_reader(struct thread *thread, const pthread_rwlock_t *lock,
				   bool is_wanted, int result)
{
	if (unlikely(is_wanted) && result == 0 && activity_is_awaited(lock))
		activity_take_shared(thread, lock, OBJECT_RWLOCK);
}

static inline bool is_alone(const volatile void *lock)
{
	(void)lock;
	return false;
}

static inline void taken_alone(struct thread *thread, const volatile void *lock, bool is_wanted,
			       int result)
{
	(void)thread;
	(void)lock;
	(void)is_wanted;
	(void)result;
}

/* WAITING(name, parameters, arguments, may_try, try, cause, operation, is_wanted, taken): a call
 * that is tried first. */
#define WAITING(name, parameters, arguments, may_try, try_call, cause, operation, wanted, taken)   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		bool is_wanted = wanted(lock);                                                     \
		int result = (may_try) ? real.try_call(lock) : EBUSY;                              \
		if (likely(result != EBUSY)) {                                                     \
			activity_count(thread, (const void *)lock, operation, CALLER_HERE);        \
			taken(thread, lock, is_wanted, result);                                    \
			return result;                                                             \
		}                                                                                  \
		bool is_measured =                                                                 \
			activity_begin(thread, cause, operation, (const void *)lock, SITE_HERE);   \
		result = real.name arguments;                                                      \
		if (is_measured)                                                                   \
			activity_end(thread, outcome_of(result));                                  \
		else                                                                               \
			activity_count(thread, (const void *)lock, operation, CALLER_HERE);        \
		taken(thread, lock, true, result);                                                 \
		return result;                                                                     \
	}

WAITING(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), true, pthread_rwlock_tryrdlock,
	CAUSE_RWLOCK, OP_RWLOCK_READ, is_wanted_by_writer, taken_by_reader)
WAITING(pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, const struct timespec *until),
	(lock, until), time_limit_is_valid(CLOCK_REALTIME, until), pthread_rwlock_tryrdlock,
	CAUSE_RWLOCK, OP_RWLOCK_TIMEDREAD, is_wanted_by_writer, taken_by_reader)
WAITING(pthread_rwlock_clockrdlock,
	(pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
	(lock, clock, until), time_limit_is_valid(clock, until), pthread_rwlock_tryrdlock,
	CAUSE_RWLOCK, OP_RWLOCK_TIMEDREAD, is_wanted_by_writer, taken_by_reader)
WAITING(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), true, pthread_rwlock_trywrlock,
	CAUSE_RWLOCK, OP_RWLOCK_WRITE, is_alone, taken_alone)
WAITING(pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, const struct timespec *until),
	(lock, until), time_limit_is_valid(CLOCK_REALTIME, until), pthread_rwlock_trywrlock,
	CAUSE_RWLOCK, OP_RWLOCK_TIMEDWRITE, is_alone, taken_alone)
WAITING(pthread_rwlock_clockwrlock,
	(pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until),
	(lock, clock, until), time_limit_is_valid(clock, until), pthread_rwlock_trywrlock,
	CAUSE_RWLOCK, OP_RWLOCK_TIMEDWRITE, is_alone, taken_alone)
WAITING(pthread_spin_lock, (pthread_spinlock_t * lock), (lock), true, pthread_spin_trylock,
	CAUSE_SPINLOCK, OP_SPIN_LOCK, is_alone, taken_alone)

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

EXPORTED int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.pthread_rwlock_tryrdlock(lock);
	bool is_wanted = is_wanted_by_writer(lock);
	int result = real.pthread_rwlock_tryrdlock(lock);
	activity_count(thread, lock, OP_RWLOCK_TRYREAD, CALLER_HERE);
	taken_by_reader(thread, lock, is_wanted, result);
	return result;
}

COUNTED(pthread_rwlock_trywrlock, pthread_rwlock_t, OP_RWLOCK_TRYWRITE)
COUNTED(pthread_spin_trylock, pthread_spinlock_t, OP_SPIN_TRYLOCK)

static void release_rwlock(struct thread *thread, const pthread_rwlock_t *lock,
			   const struct site *site)
{
	if (is_written(lock))
		activity_release(thread, lock, OBJECT_RWLOCK, site);
	else
		activity_release_shared(thread, lock, OBJECT_RWLOCK, other_readers(lock), site);
}

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	struct thread *thread = sync_thread();

	if (likely(thread)) {
		activity_count(thread, lock, OP_RWLOCK_UNLOCK, CALLER_HERE);
		if (activity_is_awaited(lock))
			release_rwlock(thread, lock, SITE_HERE);
	}
	return real.pthread_rwlock_unlock(lock);
}

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	struct thread *thread = sync_thread();

	if (likely(thread)) {
		activity_count(thread, (const void *)lock, OP_SPIN_UNLOCK, CALLER_HERE);
		if (activity_is_awaited((const void *)lock))
			activity_release(thread, (const void *)lock, OBJECT_SPINLOCK, SITE_HERE);
	}
	return real.pthread_spin_unlock(lock);
}

/* LIFE(name, parameters, arguments, kind, what): what begins or ends, when it has. */
#define LIFE(name, parameters, arguments, kind, what)                                              \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		int result = real.name arguments;                                                  \
                                                                                                   \
		if (likely(thread) && !result)                                                     \
			what((const void *)lock, kind, CALLER_HERE);                               \
		return result;                                                                     \
	}

static inline void died(const void *lock, enum object_kind kind, uint64_t unused)
{
	(void)unused;
	object_life_end(lock, kind);
}

LIFE(pthread_rwlock_init, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *attributes),
     (lock, attributes), OBJECT_RWLOCK, object_life_begin)
LIFE(pthread_rwlock_destroy, (pthread_rwlock_t * lock), (lock), OBJECT_RWLOCK, died)
LIFE(pthread_spin_init, (pthread_spinlock_t * lock, int shared), (lock, shared), OBJECT_SPINLOCK,
     object_life_begin)
LIFE(pthread_spin_destroy, (pthread_spinlock_t * lock), (lock), OBJECT_SPINLOCK, died)
