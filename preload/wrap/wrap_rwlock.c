/* SPDX-License-Identifier: MIT */
/* pthread_rwlock_* and pthread_spin_*: tried first, measured only if the trylock fails. glibc's
 * trylocks respect the preference for writers just as its locks do, so no order changes. Its timed
 * locks check clock and time before the lock: with bad ones there is no trylock. */
#include "preload/base/time_limit.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/release.h"
#include "preload/waits/wait_call.h"

#include <errno.h>

/* What glibc keeps in a read-write lock (2.25 and later): the lowest bit of __readers tells that it
 * is a writer's phase; above the lowest three bits is the number of readers. A reader that unlocks
 * while others remain lets nobody in. */
static inline bool is_written(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED) & 1;
}

static inline uint32_t other_readers(const pthread_rwlock_t *lock)
{
	uint32_t readers = __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED) >> 3;

	return readers ? readers - 1 : 0;
}

/* The second bit: a writer holds the lock or waits for readers. Read before the trylock, because
 * what follows an atomic instruction waits for that. */
static inline bool is_wanted_by_writer(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__readers, __ATOMIC_RELAXED) & 2;
}

/* Readers that come while others wait are distinguished from those that were there before. */
static inline void taken_by_reader(struct thread *thread, const pthread_rwlock_t *lock,
				   bool is_wanted, int result)
{
	if (unlikely(is_wanted) && result == 0 && release_is_awaited(lock))
		release_take_shared(thread, lock, OBJECT_RWLOCK);
}

static inline int try_reading(pthread_rwlock_t *lock, bool may_try)
{
	return may_try ? real.pthread_rwlock_tryrdlock(lock) : EBUSY;
}

static inline int try_writing(pthread_rwlock_t *lock, bool may_try)
{
	return may_try ? real.pthread_rwlock_trywrlock(lock) : EBUSY;
}

/* READING(name, parameters, arguments, may_try, operation): a call with a trylock before it. */
#define READING(name, parameters, arguments, may_try, operation)                                   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		bool is_wanted = is_wanted_by_writer(lock);                                        \
		int result = try_reading(lock, may_try);                                           \
		if (likely(result != EBUSY)) {                                                     \
			activity_count(thread, lock, operation, CALLER_HERE);                      \
			taken_by_reader(thread, lock, is_wanted, result);                          \
			return result;                                                             \
		}                                                                                  \
		struct wait_call call =                                                            \
			wait_call_begin(thread, CAUSE_RWLOCK, operation, lock, SITE_HERE);         \
		result = real.name arguments;                                                      \
		wait_call_end(&call, wait_call_outcome(result));                                   \
		taken_by_reader(thread, lock, true, result);                                       \
		return result;                                                                     \
	}

/* WRITING: the same for writers, of which only one can hold it. */
#define WRITING(name, parameters, arguments, may_try, operation)                                   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		int result = try_writing(lock, may_try);                                           \
		if (likely(result != EBUSY)) {                                                     \
			activity_count(thread, lock, operation, CALLER_HERE);                      \
			return result;                                                             \
		}                                                                                  \
		struct wait_call call =                                                            \
			wait_call_begin(thread, CAUSE_RWLOCK, operation, lock, SITE_HERE);         \
		result = real.name arguments;                                                      \
		wait_call_end(&call, wait_call_outcome(result));                                   \
		return result;                                                                     \
	}

#define TIMED_PARAMETERS (pthread_rwlock_t * lock, const struct timespec *until)
#define CLOCK_PARAMETERS (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *until)

READING(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), true, OP_RWLOCK_READ)
READING(pthread_rwlock_timedrdlock, TIMED_PARAMETERS, (lock, until),
	time_limit_is_valid(CLOCK_REALTIME, until), OP_RWLOCK_TIMEDREAD)
READING(pthread_rwlock_clockrdlock, CLOCK_PARAMETERS, (lock, clock, until),
	time_limit_is_valid(clock, until), OP_RWLOCK_TIMEDREAD)
WRITING(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), true, OP_RWLOCK_WRITE)
WRITING(pthread_rwlock_timedwrlock, TIMED_PARAMETERS, (lock, until),
	time_limit_is_valid(CLOCK_REALTIME, until), OP_RWLOCK_TIMEDWRITE)
WRITING(pthread_rwlock_clockwrlock, CLOCK_PARAMETERS, (lock, clock, until),
	time_limit_is_valid(clock, until), OP_RWLOCK_TIMEDWRITE)

EXPORTED int pthread_spin_lock(pthread_spinlock_t *lock)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.pthread_spin_lock(lock);
	int result = real.pthread_spin_trylock(lock);
	if (likely(result != EBUSY)) {
		activity_count(thread, (const void *)lock, OP_SPIN_LOCK, CALLER_HERE);
		return result;
	}
	struct wait_call call =
		wait_call_begin_rated(thread, CAUSE_SPINLOCK, OP_SPIN_LOCK, lock, SITE_HERE);
	result = real.pthread_spin_lock(lock);
	wait_call_end(&call, wait_call_outcome(result));
	return result;
}

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
		release_object(thread, lock, OBJECT_RWLOCK, site);
	else
		release_shared(thread, lock, OBJECT_RWLOCK, other_readers(lock), site);
}

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	struct thread *thread = sync_thread();

	if (likely(thread)) {
		activity_count(thread, lock, OP_RWLOCK_UNLOCK, CALLER_HERE);
		if (release_is_awaited(lock))
			release_rwlock(thread, lock, SITE_HERE);
	}
	return real.pthread_rwlock_unlock(lock);
}

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	struct thread *thread = sync_thread();

	if (likely(thread)) {
		activity_count(thread, (const void *)lock, OP_SPIN_UNLOCK, CALLER_HERE);
		if (release_is_awaited((const void *)lock))
			release_object(thread, (const void *)lock, OBJECT_SPINLOCK, SITE_HERE);
	}
	return real.pthread_spin_unlock(lock);
}

EXPORTED int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_rwlock_init(lock, attributes);

	if (!result)
		activity_object_begins(thread, lock, OBJECT_RWLOCK, CALLER_HERE);
	return result;
}

EXPORTED int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_rwlock_destroy(lock);

	if (!result)
		activity_object_ends(thread, lock, OBJECT_RWLOCK);
	return result;
}

EXPORTED int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_spin_init(lock, shared);

	if (!result)
		activity_object_begins(thread, lock, OBJECT_SPINLOCK, CALLER_HERE);
	return result;
}

EXPORTED int pthread_spin_destroy(pthread_spinlock_t *lock)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_spin_destroy(lock);

	if (!result)
		activity_object_ends(thread, lock, OBJECT_SPINLOCK);
	return result;
}

ALIAS(__pthread_rwlock_init, pthread_rwlock_init)
ALIAS(__pthread_rwlock_destroy, pthread_rwlock_destroy)
ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock)
ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock)
ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock)
ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock)
ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock)
