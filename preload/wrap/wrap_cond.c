/* SPDX-License-Identifier: MIT */
/* pthread_cond_* (both sets that glibc has: see ARCH_OLDEST_VERSION) and C11 cnd_*.
 *
 * Every call waits. Its mutex is locked again inside libc, where no wrapper sees it: blame.c
 * separates that part of the wait. */
#include "arch.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/release.h"
#include "preload/waits/wait_call.h"

static inline struct wait_call begin_wait(struct thread *thread, enum operation operation,
					  const void *condition, const void *mutex,
					  const struct site *site)
{
	bool is_measured = quick_wait_begin_announced(thread, condition, mutex, site) ||
			   activity_begin_condition(thread, operation, condition, mutex, site);

	return wait_call_begun(thread, operation, condition, is_measured, site);
}

/* Before the real call. */
static inline void wake(struct thread *thread, enum operation operation, const void *condition,
			const struct site *site)
{
	activity_count(thread, condition, operation, site->caller);
	thread->signals++;
	if (release_is_awaited(condition))
		release_signal(thread, condition, operation == OP_COND_BROADCAST, site);
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
		struct wait_call call =                                                            \
			begin_wait(thread, operation, condition, mutex, SITE_HERE);                \
		int result = real.original arguments;                                              \
		wait_call_end(&call, outcome(result));                                             \
		return result;                                                                     \
	}

/* WAKING(linkage, name, original, type, operation) */
#define WAKING(linkage, name, original, type, operation)                                           \
	linkage int name(type *condition);                                                         \
	linkage int name(type *condition)                                                          \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (likely(thread))                                                                \
			wake(thread, operation, condition, SITE_HERE);                             \
		return real.original(condition);                                                   \
	}

#define WAIT_PARAMETERS (pthread_cond_t * condition, pthread_mutex_t * mutex)
#define TIMED_PARAMETERS                                                                           \
	(pthread_cond_t * condition, pthread_mutex_t * mutex, const struct timespec *until)

/* Today's set. It has other names here, because those of the old set are the same. */
WAITING(EXPORTED, today_cond_wait, pthread_cond_wait, WAIT_PARAMETERS, (condition, mutex),
	OP_COND_WAIT, wait_call_outcome)
WAITING(EXPORTED, today_cond_timedwait, pthread_cond_timedwait, TIMED_PARAMETERS,
	(condition, mutex, until), OP_COND_TIMEDWAIT, wait_call_outcome)
WAKING(EXPORTED, today_cond_signal, pthread_cond_signal, pthread_cond_t, OP_COND_SIGNAL)
WAKING(EXPORTED, today_cond_broadcast, pthread_cond_broadcast, pthread_cond_t, OP_COND_BROADCAST)

WAITING(EXPORTED, pthread_cond_clockwait, pthread_cond_clockwait,
	(pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
	 const struct timespec *until),
	(condition, mutex, clock, until), OP_COND_TIMEDWAIT, wait_call_outcome)

/* INITIALISING(name, original, parameters, arguments, success), DESTROYING(name, original):
 * recorded after the real call, because a destruction waits for threads that are just returning. */
#define INITIALISING(name, original, parameters, arguments, success)                               \
	EXPORTED int name parameters;                                                              \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		int result = real.original arguments;                                              \
                                                                                                   \
		if (result == (success))                                                           \
			activity_object_begins(thread, condition, OBJECT_CONDITION, CALLER_HERE);  \
		return result;                                                                     \
	}
#define DESTROYING(name, original)                                                                 \
	EXPORTED int name(pthread_cond_t *condition);                                              \
	EXPORTED int name(pthread_cond_t *condition)                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		int result = real.original(condition);                                             \
                                                                                                   \
		if (!result)                                                                       \
			activity_object_ends(thread, condition, OBJECT_CONDITION);                 \
		return result;                                                                     \
	}
#define INIT_PARAMETERS (pthread_cond_t * condition, const pthread_condattr_t *attributes)

INITIALISING(today_cond_init, pthread_cond_init, INIT_PARAMETERS, (condition, attributes), 0)
DESTROYING(today_cond_destroy, pthread_cond_destroy)

VERSION(today_cond_init, pthread_cond_init, "@@" ARCH_COND_VERSION)
VERSION(today_cond_destroy, pthread_cond_destroy, "@@" ARCH_COND_VERSION)
VERSION(today_cond_wait, pthread_cond_wait, "@@" ARCH_COND_VERSION)
VERSION(today_cond_timedwait, pthread_cond_timedwait, "@@" ARCH_COND_VERSION)
VERSION(today_cond_signal, pthread_cond_signal, "@@" ARCH_COND_VERSION)
VERSION(today_cond_broadcast, pthread_cond_broadcast, "@@" ARCH_COND_VERSION)

#if ARCH_HAS_OLD_CALLS
/* Programs linked before 2003: their conditions are smaller, and only the old functions know
 * that. */
WAITING(EXPORTED, old_cond_wait, old_cond_wait, WAIT_PARAMETERS, (condition, mutex), OP_COND_WAIT,
	wait_call_outcome)
WAITING(EXPORTED, old_cond_timedwait, old_cond_timedwait, TIMED_PARAMETERS,
	(condition, mutex, until), OP_COND_TIMEDWAIT, wait_call_outcome)
WAKING(EXPORTED, old_cond_signal, old_cond_signal, pthread_cond_t, OP_COND_SIGNAL)
WAKING(EXPORTED, old_cond_broadcast, old_cond_broadcast, pthread_cond_t, OP_COND_BROADCAST)

INITIALISING(old_cond_init, old_cond_init, INIT_PARAMETERS, (condition, attributes), 0)
DESTROYING(old_cond_destroy, old_cond_destroy)

VERSION(old_cond_init, pthread_cond_init, "@" ARCH_OLDEST_VERSION)
VERSION(old_cond_destroy, pthread_cond_destroy, "@" ARCH_OLDEST_VERSION)
VERSION(old_cond_wait, pthread_cond_wait, "@" ARCH_OLDEST_VERSION)
VERSION(old_cond_timedwait, pthread_cond_timedwait, "@" ARCH_OLDEST_VERSION)
VERSION(old_cond_signal, pthread_cond_signal, "@" ARCH_OLDEST_VERSION)
VERSION(old_cond_broadcast, pthread_cond_broadcast, "@" ARCH_OLDEST_VERSION)
#endif

/* ---- C11; glibc's cnd_t is a pthread_cond_t ---- */

WAITING(EXPORTED, cnd_wait, cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex),
	OP_COND_WAIT, wait_call_c11_outcome)
WAITING(EXPORTED, cnd_timedwait, cnd_timedwait,
	(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until),
	(condition, mutex, until), OP_COND_TIMEDWAIT, wait_call_c11_outcome)
WAKING(EXPORTED, cnd_signal, cnd_signal, cnd_t, OP_COND_SIGNAL)
WAKING(EXPORTED, cnd_broadcast, cnd_broadcast, cnd_t, OP_COND_BROADCAST)

INITIALISING(cnd_init, cnd_init, (cnd_t * condition), (condition), thrd_success)

EXPORTED void cnd_destroy(cnd_t *condition)
{
	struct thread *thread = sync_thread();

	real.cnd_destroy(condition);
	activity_object_ends(thread, condition, OBJECT_CONDITION);
}
