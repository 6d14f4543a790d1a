/* SPDX-License-Identifier: MIT */
/* pthread_mutex_* and C11 mtx_*.
 *
 * A free lock costs what it costs in libc (mutex_word.h), or a trylock, and one counter. Only if it
 * is not free is anything measured. Kinds whose lock may return something else (robust, priority
 * inheritance and protection) are not tried, because glibc's trylock of a mutex that is not
 * recoverable leaves it locked for ever (glibc 2.36): the lock is called directly, and timed if the
 * mutex looks taken. */
#include "preload/base/replaces.h"
#include "preload/base/time_limit.h"
#include "preload/life/lifecycle.h"
#include "preload/life/sync_thread.h"
#include "preload/locks/mutex_word.h"
#include "preload/process/module_map.h"
#include "preload/process/real.h"
#include "preload/waits/quick_wait.h"
#include "preload/waits/release.h"
#include "preload/waits/wait_call.h"

#include <errno.h>
#include <sys/single_threaded.h>

enum {
	KINDS_NOT_TRIED = 0x7c, /* robust 16, inheritance 32, protection 64, and unknown bits */
	NOT_TRIED = -1,         /* instead of a trylock's result */
};

static inline bool may_try(const pthread_mutex_t *mutex)
{
	return likely(!(mutex->__data.__kind & KINDS_NOT_TRIED));
}

/* Takes the mutex if it is free: with one thread by the real lock, for which glibc needs no atomic
 * instruction; else by a trylock. EBUSY: the call has to wait. */
static inline int take_if_free(pthread_mutex_t *mutex)
{
	bool is_alone = __libc_single_threaded && mutex->__data.__lock == 0;

	return (is_alone ? real.pthread_mutex_lock : real_mutex_try)(mutex);
}

/* False: a kind that may not be tried, and looks free. */
static inline bool may_wait(const pthread_mutex_t *mutex)
{
	return may_try(mutex) || mutex->__data.__lock != 0;
}

/* The original of each call, so that the three of them share one path. */
struct lock_call {
	enum operation operation;
	clockid_t clock;
	const struct timespec *until;
	int (*original)(pthread_mutex_t *mutex, const struct lock_call *call);
	bool is_strict; /* its other arguments are bad, and it reports that first: not tried */
};

static int original_lock(pthread_mutex_t *mutex, const struct lock_call *call)
{
	(void)call;
	return real.pthread_mutex_lock(mutex);
}

static int original_timedlock(pthread_mutex_t *mutex, const struct lock_call *call)
{
	return real.pthread_mutex_timedlock(mutex, call->until);
}

static int original_clocklock(pthread_mutex_t *mutex, const struct lock_call *call)
{
	return real.pthread_mutex_clocklock(mutex, call->clock, call->until);
}

/* Whether both calls are of one library. Another library that interposes the lock may count locks,
 * and would miss one with a time limit, which it does not know. Determined once. */
static bool are_of_one_library(void)
{
	static int answer; /* atomic; 0: not known, 1: yes, 2: no */
	int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
	struct code_object lock, limited;

	if (unlikely(!known)) {
		known = real.pthread_mutex_clocklock &&
					module_map_find((uint64_t)real.pthread_mutex_lock, &lock) &&
					module_map_find((uint64_t)real.pthread_mutex_clocklock,
							&limited) &&
					lock.base == limited.base
				? 1
				: 2;
		__atomic_store_n(&answer, known, __ATOMIC_RELAXED);
	}
	return known == 1;
}

/* Whether its lock can be replaced by one with a time limit: it reports nothing but success. */
static bool may_limit(const pthread_mutex_t *mutex)
{
	return (mutex->__data.__kind & 3) != PTHREAD_MUTEX_ERRORCHECK && are_of_one_library();
}

/* A wait of QUICK_WAIT_MOST_NS at most, which is only timed. EBUSY: the wait is to be measured, and
 * began at *since_ns if that is not 0. */
static int lock_quickly(struct thread *thread, pthread_mutex_t *mutex, uint64_t *since_ns,
			const struct site *site)
{
	if (!may_limit(mutex) || !quick_wait_begin(thread, mutex, site))
		return EBUSY;
	uint64_t until_ns = thread->wait.start_ns + QUICK_WAIT_MOST_NS;
	struct timespec until = {(time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000)};

	if (likely(!real.pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &until))) {
		quick_wait_end(thread);
		return 0;
	}
	*since_ns = quick_wait_give_up(thread);
	return EBUSY;
}

/* The call is not replaced by a trylock: it may return something else; or another library counts
 * it. */
static inline bool is_asked_itself(const struct lock_call *call)
{
	return call->is_strict || (call->operation != OP_MUTEX_LOCK && !real_has_libcs_mutexes);
}

/* The caller has it already, and takes it once more: it does not wait. */
static bool is_taken_again(const pthread_mutex_t *mutex, const struct thread *thread)
{
	return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE &&
	       mutex->__data.__owner == thread->tid;
}

/* All that could not be locked at once. */
__attribute__((noinline)) static int lock_slowly(pthread_mutex_t *mutex,
						 const struct lock_call *call, int tried,
						 const struct site *site)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return call->original(mutex, call);
	/* a thread's first call: it had no record yet */
	if (tried == NOT_TRIED)
		tried = may_try(mutex) && !is_asked_itself(call) ? take_if_free(mutex) : EBUSY;
	/* taken, or an error that the lock would return as well */
	bool has_ended = may_try(mutex) && tried != EBUSY;
	bool waits = !has_ended && !is_taken_again(mutex, thread);
	uint64_t since_ns = 0;
	if (waits && may_try(mutex) && call->operation == OP_MUTEX_LOCK) {
		tried = lock_quickly(thread, mutex, &since_ns, site);
		if (tried != EBUSY)
			return tried;
	}
	bool is_measured = waits && may_wait(mutex) &&
			   activity_begin(thread, CAUSE_MUTEX, call->operation, mutex, site);
	if (is_measured && since_ns)
		activity_began(thread, since_ns);
	int result = has_ended ? tried : call->original(mutex, call);
	if (is_measured)
		activity_end(thread, wait_call_outcome(result));
	else
		activity_count(thread, mutex, call->operation, site->caller);
	return result;
}

/* All that could not be taken by its word. The site is passed by value, so that the fast path needs
 * no memory for it. */
__attribute__((noinline)) static int lock_otherwise(pthread_mutex_t *mutex, uint64_t caller,
						    uint64_t sp, uint64_t fp)
{
	static const struct lock_call call = {.operation = OP_MUTEX_LOCK,
					      .original = original_lock};
	const struct site site = {.caller = caller, .sp = sp, .fp = fp};
	struct thread *thread = sync_self;
	int tried = NOT_TRIED;

	if (unlikely(!thread && thread_is_unobserved))
		return real.pthread_mutex_lock(mutex);
	if (likely(thread && may_try(mutex))) {
		tried = mutex_word_is_known(mutex) ? EBUSY : take_if_free(mutex);
		if (likely(!tried)) {
			activity_count(thread, mutex, OP_MUTEX_LOCK, caller);
			return 0;
		}
	}
	return lock_slowly(mutex, &call, tried, &site);
}

REPLACES(pthread_mutex_lock) EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	mutex_word_fetch(mutex);
	struct thread *thread = sync_self;

	if (likely(thread && mutex_word_take(mutex, thread->tid))) {
		activity_count(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE);
		return 0;
	}
	struct site site = *SITE_HERE;

	return lock_otherwise(mutex, site.caller, site.sp, site.fp);
}

static int lock_until(pthread_mutex_t *mutex, const struct lock_call *call, const struct site *site)
{
	struct thread *thread = sync_self;
	bool is_tried = thread && may_try(mutex) && !is_asked_itself(call);
	int tried = is_tried ? take_if_free(mutex) : NOT_TRIED;

	if (tried || !thread)
		return lock_slowly(mutex, call, tried, site);
	activity_count(thread, mutex, call->operation, site->caller);
	return 0;
}

EXPORTED int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	struct lock_call call = {
		.operation = OP_MUTEX_TIMEDLOCK,
		.until = until,
		.original = original_timedlock,
	};

	return lock_until(mutex, &call, SITE_HERE);
}

EXPORTED int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
				     const struct timespec *until)
{
	struct lock_call call = {
		.operation = OP_MUTEX_TIMEDLOCK,
		.clock = clock,
		.until = until,
		.original = original_clocklock,
		.is_strict = !time_limit_has_clock(clock),
	};

	return lock_until(mutex, &call, SITE_HERE);
}

EXPORTED int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_thread();

	if (likely(thread))
		activity_count(thread, mutex, OP_MUTEX_TRYLOCK, CALLER_HERE);
	return real.pthread_mutex_trylock(mutex);
}

/* Whether the unlock frees the mutex: for kinds that know their owner, not an inner unlock, nor
 * that of another thread. */
static bool lets_go(const pthread_mutex_t *mutex, const struct thread *thread)
{
	int type = mutex->__data.__kind & 3;

	if (type != PTHREAD_MUTEX_RECURSIVE && type != PTHREAD_MUTEX_ERRORCHECK)
		return true;
	return mutex->__data.__owner == thread->tid &&
	       (type == PTHREAD_MUTEX_ERRORCHECK || mutex->__data.__count <= 1);
}

/* The site is passed by value, so that the fast path needs no memory for it. */
__attribute__((noinline)) static int unlock_awaited(pthread_mutex_t *mutex, struct thread *thread,
						    uint64_t caller, uint64_t sp, uint64_t fp)
{
	struct site site = {.caller = caller, .sp = sp, .fp = fp};

	if (lets_go(mutex, thread))
		release_object(thread, mutex, OBJECT_MUTEX, &site);
	return real.pthread_mutex_unlock(mutex);
}

REPLACES(pthread_mutex_unlock) EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_self;

	if (unlikely(!thread))
		thread = sync_thread();
	if (likely(thread)) {
		thread->unlocks++;
		if (release_is_awaited(mutex)) {
			struct site site = *SITE_HERE;
			return unlock_awaited(mutex, thread, site.caller, site.sp, site.fp);
		}
		if (mutex_word_release(mutex))
			return 0;
	}
	return real.pthread_mutex_unlock(mutex);
}

/* After the real call, because one that failed changes nothing. */
static void remember(struct thread *thread, const void *mutex, enum operation operation, bool works,
		     uint64_t caller)
{
	activity_count(thread, NULL, operation, caller);
	if (works && operation == OP_MUTEX_INIT)
		activity_object_begins(thread, mutex, OBJECT_MUTEX, caller);
	else if (works)
		activity_object_ends(thread, mutex, OBJECT_MUTEX);
}

EXPORTED int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	struct thread *thread = sync_thread(); /* resolves the originals */
	int result = real.pthread_mutex_init(mutex, attributes);

	if (thread)
		remember(thread, mutex, OP_MUTEX_INIT, !result, CALLER_HERE);
	return result;
}

/* A mutex that is held is not destroyed. */
EXPORTED int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_mutex_destroy(mutex);

	if (thread)
		remember(thread, mutex, OP_MUTEX_DESTROY, !result, CALLER_HERE);
	return result;
}

/* ---- C11; glibc's mtx_t is a pthread_mutex_t, and its calls are made from those above ---- */

/* A library behind us, whose mtx_t may have other words than libc's, gets only the calls that the
 * program makes: its locks are counted, and waits for them not measured. */
static inline bool is_only_counted(struct thread *thread, const mtx_t *mutex,
				   enum operation operation, uint64_t caller)
{
	if (likely(real_has_libcs_mutexes))
		return false;
	activity_count(thread, mutex, operation, caller);
	return true;
}

EXPORTED int mtx_lock(mtx_t *mutex)
{
	struct thread *thread = sync_thread();

	if (!thread || is_only_counted(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE))
		return real.mtx_lock(mutex);
	bool is_taken = mutex_word_take((pthread_mutex_t *)mutex, thread->tid);
	int result = is_taken ? thrd_success : real.mtx_trylock(mutex);
	if (result != thrd_busy) {
		activity_count(thread, mutex, OP_MUTEX_LOCK, CALLER_HERE);
		return result;
	}
	struct wait_call call =
		wait_call_begin(thread, CAUSE_MUTEX, OP_MUTEX_LOCK, mutex, SITE_HERE);
	result = real.mtx_lock(mutex);
	wait_call_end(&call, wait_call_c11_outcome(result));
	return result;
}

EXPORTED int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
	struct thread *thread = sync_thread();

	if (!thread || is_only_counted(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE))
		return real.mtx_timedlock(mutex, until);
	int result = real.mtx_trylock(mutex);
	if (result != thrd_busy) {
		activity_count(thread, mutex, OP_MUTEX_TIMEDLOCK, CALLER_HERE);
		return result;
	}
	struct wait_call call =
		wait_call_begin(thread, CAUSE_MUTEX, OP_MUTEX_TIMEDLOCK, mutex, SITE_HERE);
	result = real.mtx_timedlock(mutex, until);
	wait_call_end(&call, wait_call_c11_outcome(result));
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
		thread->unlocks++;
		if (release_is_awaited(mutex) && lets_go((const pthread_mutex_t *)mutex, thread))
			release_object(thread, mutex, OBJECT_MUTEX, SITE_HERE);
		if (mutex_word_release((pthread_mutex_t *)mutex))
			return thrd_success;
	}
	return real.mtx_unlock(mutex);
}

EXPORTED int mtx_init(mtx_t *mutex, int type)
{
	struct thread *thread = sync_thread();
	int result = real.mtx_init(mutex, type);

	if (thread)
		remember(thread, mutex, OP_MUTEX_INIT, result == thrd_success, CALLER_HERE);
	return result;
}

EXPORTED void mtx_destroy(mtx_t *mutex)
{
	struct thread *thread = sync_thread();

	real.mtx_destroy(mutex);
	if (thread)
		remember(thread, mutex, OP_MUTEX_DESTROY, true, CALLER_HERE);
}

ALIAS(__pthread_mutex_init, pthread_mutex_init)
ALIAS(__pthread_mutex_destroy, pthread_mutex_destroy)
ALIAS(__pthread_mutex_lock, pthread_mutex_lock)
ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock)
ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock)
