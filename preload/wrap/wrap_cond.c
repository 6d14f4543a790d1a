/* SPDX-License-Identifier: MIT */
/* pthread_cond_* (both sets that glibc has: see ARCH_OLDEST_VERSION) and C11 cnd_*.
 *
 * A wait is always a wait. Its mutex is taken again inside libc, out of our sight: blame.c tells
 * that part apart. */
#include "arch.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/activity.h"
#include "preload/waits/object_life.h"

#include <errno.h>

static enum outcome outcome_of(int result)
{
	return result == 0 || result == EOWNERDEAD ? OUTCOME_DONE
	       : result == ETIMEDOUT               ? OUTCOME_TIMEOUT
						   : OUTCOME_FAILED;
}

static enum outcome c11_outcome(int result)
{
	return result == thrd_success    ? OUTCOME_DONE
	       : result == thrd_timedout ? OUTCOME_TIMEOUT
					 : OUTCOME_FAILED;
}

/* WAITING(linkage, name, original, parameters, arguments, operation, outcome) */
#define WAITING(linkage, name, original, parameters, arguments, operation, outcome)                \
	linkage int name parameters;                                                               \
	linkage int name parameters                                                                \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.original arguments;                                            \
		bool is_measured =                                                                 \
			activity_begin_condition(thread, operation, condition, mutex, SITE_HERE);  \
		int result = real.original arguments;                                              \
		if (is_measured)                                                                   \
			activity_end(thread, outcome(result));                                     \
		else                                                                               \
			activity_count(thread, condition, operation, CALLER_HERE);                 \
		return result;                                                                     \
	}

/* WAKING(linkage, name, original, type, operation, is_for_all) */
#define WAKING(linkage, name, original, type, operation, is_for_all)                               \
	linkage int name(type *condition);                                                         \
	linkage int name(type *condition)                                                          \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (likely(thread)) {                                                              \
			activity_count(thread, condition, operation, CALLER_HERE);                 \
			thread->signals++;                                                         \
			if (activity_is_awaited(condition))                                        \
				activity_signal(thread, condition, is_for_all, SITE_HERE);         \
		}                                                                                  \
		return real.original(condition);                                                   \
	}

#define WAIT_PARAMETERS (pthread_cond_t * condition, pthread_mutex_t * mutex)
#define TIMED_PARAMETERS                                                                           \
	(pthread_cond_t * condition, pthread_mutex_t * mutex, const struct timespec *until)

/* Today's set. Named otherwise here, because the old set has the same names. */
WAITING(EXPORTED, today_cond_wait, pthread_cond_wait, WAIT_PARAMETERS, (condition, mutex),
	OP_COND_WAIT, outcome_of)
WAITING(EXPORTED, today_cond_timedwait, pthread_cond_timedwait, TIMED_PARAMETERS,
	(condition, mutex, until), OP_COND_TIMEDWAIT, outcome_of)
WAKING(EXPORTED, today_cond_signal, pthread_cond_signal, pthread_cond_t, OP_COND_SIGNAL, false)
WAKING(EXPORTED, today_cond_broadcast, pthread_cond_broadcast, pthread_cond_t, OP_COND_BROADCAST,
       true)

WAITING(EXPORTED, pthread_cond_clockwait, pthread_cond_clockwait,
	(pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
	 const struct timespec *until),
	(condition, mutex, clock, until), OP_COND_TIMEDWAIT, outcome_of)

/* INITIALISING(name, original, parameters, arguments, success), DESTROYING(name, original): what
 * begins or ends, when it has: a destruction waits for those who are just returning. */
#define INITIALISING(name, original, parameters, arguments, success)                               \
	EXPORTED int name parameters;                                                              \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		int result = real.original arguments;                                              \
                                                                                                   \
		if (likely(thread) && result == (success))                                         \
			object_life_begin(condition, OBJECT_CONDITION, CALLER_HERE);               \
		return result;                                                                     \
	}
#define DESTROYING(name, original)                                                                 \
	EXPORTED int name(pthread_cond_t *condition);                                              \
	EXPORTED int name(pthread_cond_t *condition)                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		int result = real.original(condition);                                             \
                                                                                                   \
		if (likely(thread) && !result)                                                     \
			object_life_end(condition, OBJECT_CONDITION);                              \
		return result;                                                                     \
	}
#define INIT_PARAMETERS (pthread_cond_t * condition, const pthread_condattr_t *attributes)

INITIALISING(today_cond_init, pthread_cond_init, INIT_PARAMETERS, (condition, attributes), 0)
DESTROYING(today_cond_destroy, pthread_cond_destroy)

#define VERSION(function, symbol, version) __asm__(".symver " #function "," #symbol version)

VERSION(today_cond_init, pthread_cond_init, "@@" ARCH_COND_VERSION);
VERSION(today_cond_destroy, pthread_cond_destroy, "@@" ARCH_COND_VERSION);
VERSION(today_cond_wait, pthread_cond_wait, "@@" ARCH_COND_VERSION);
VERSION(today_cond_timedwait, pthread_cond_timedwait, "@@" ARCH_COND_VERSION);
VERSION(today_cond_signal, pthread_cond_signal, "@@" ARCH_COND_VERSION);
VERSION(today_cond_broadcast, pthread_cond_broadcast, "@@" ARCH_COND_VERSION);

#if ARCH_HAS_OLD_COND
/* Programs linked before 2003: their conditions are smaller, and must meet the functions that know
 * it. */
WAITING(EXPORTED, old_cond_wait, old_cond_wait, WAIT_PARAMETERS, (condition, mutex), OP_COND_WAIT,
	outcome_of)
WAITING(EXPORTED, old_cond_timedwait, old_cond_timedwait, TIMED_PARAMETERS,
	(condition, mutex, until), OP_COND_TIMEDWAIT, outcome_of)
WAKING(EXPORTED, old_cond_signal, old_cond_signal, pthread_cond_t, OP_COND_SIGNAL, false)
WAKING(EXPORTED, old_cond_broadcast, old_cond_broadcast, pthread_cond_t, OP_COND_BROADCAST, true)

INITIALISING(old_cond_init, old_cond_init, INIT_PARAMETERS, (condition, attributes), 0)
DESTROYING(old_cond_destroy, old_cond_destroy)

VERSION(old_cond_init, pthread_cond_init, "@" ARCH_OLDEST_VERSION);
VERSION(old_cond_destroy, pthread_cond_destroy, "@" ARCH_OLDEST_VERSION);
VERSION(old_cond_wait, pthread_cond_wait, "@" ARCH_OLDEST_VERSION);
VERSION(old_cond_timedwait, pthread_cond_timedwait, "@" ARCH_OLDEST_VERSION);
VERSION(old_cond_signal, pthread_cond_signal, "@" ARCH_OLDEST_VERSION);
VERSION(old_cond_broadcast, pthread_cond_broadcast, "@" ARCH_OLDEST_VERSION);
#endif

/* ---- C11; glibc's cnd_t is a pthread_cond_t ---- */

WAITING(EXPORTED, cnd_wait, cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex),
	OP_COND_WAIT, c11_outcome)
WAITING(EXPORTED, cnd_timedwait, cnd_timedwait,
	(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until),
	(condition, mutex, until), OP_COND_TIMEDWAIT, c11_outcome)
WAKING(EXPORTED, cnd_signal, cnd_signal, cnd_t, OP_COND_SIGNAL, false)
WAKING(EXPORTED, cnd_broadcast, cnd_broadcast, cnd_t, OP_COND_BROADCAST, true)

INITIALISING(cnd_init, cnd_init, (cnd_t * condition), (condition), thrd_success)

EXPORTED void cnd_destroy(cnd_t *condition)
{
	struct thread *thread = sync_thread();

	real.cnd_destroy(condition);
	if (likely(thread))
		object_life_end(condition, OBJECT_CONDITION);
}
