/* SPDX-License-Identifier: MIT */
/* Threads: pthread_create, join, detach, exit, cancel, setname, and C11's calls. */
#include "preload/base/clock.h"
#include "preload/base/direct.h"
#include "preload/base/time_limit.h"
#include "preload/life/lifecycle.h"
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/wait_call.h"

#include <errno.h>
#include <string.h>

/* A sample needs 7 KiB of its thread's stack, more than may be left of a small one. A small stack
 * that libc makes is enlarged; threads on a very small one that the program made are not
 * sampled. */
enum { SMALL_STACK = 128 << 10, SMALLEST_GIVEN = 32 << 10, ROOM_FOR_SAMPLES = 16 << 10 };

/* The size of the thread's stack, also without attributes: setrlimit and pthread_setattr_default_np
 * change the default. */
static size_t stack_bytes_of(const pthread_attr_t *attributes)
{
	pthread_attr_t none;
	size_t bytes = 0;

	if (!attributes && direct.pthread_attr_init(&none))
		return 0;
	direct.pthread_attr_getstacksize(attributes ? attributes : &none, &bytes);
	if (!attributes)
		direct.pthread_attr_destroy(&none);
	return bytes;
}

static bool has_given_stack(const pthread_attr_t *attributes)
{
	void *low = NULL;
	size_t bytes = 0;

	return !direct.pthread_attr_getstack(attributes, &low, &bytes) &&
	       (uint64_t)low + bytes != 0;
}

/* The attributes that the thread is created with: the program's, or `larger`, which shares what
 * they point to and must not be destroyed. */
static const pthread_attr_t *with_room(const pthread_attr_t *attributes, pthread_attr_t *larger,
				       struct thread *record)
{
	if (likely(record->stack_bytes >= SMALL_STACK) || !attributes)
		return attributes;
	if (has_given_stack(attributes)) {
		record->is_cramped = record->stack_bytes < SMALLEST_GIVEN;
		return attributes;
	}
	*larger = *attributes;
	if (direct.pthread_attr_setstacksize(larger, record->stack_bytes + ROOM_FOR_SAMPLES))
		return attributes;
	record->stack_bytes += ROOM_FOR_SAMPLES;
	return larger;
}

static struct thread *prepare(struct thread *self, const pthread_attr_t *attributes,
			      uint64_t caller)
{
	int state = PTHREAD_CREATE_JOINABLE;
	uint64_t since_ns = clock_now_ns();

	activity_count(self, NULL, OP_CREATE, caller);
	if (attributes)
		direct.pthread_attr_getdetachstate(attributes, &state);
	bool is_joinable = state == PTHREAD_CREATE_JOINABLE;
	struct thread *record = lifecycle_prepare_thread(is_joinable, stack_bytes_of(attributes));
	if (record)
		record->is_detached = !is_joinable;
	overhead_add(self, clock_now_ns() - since_ns, 1, OVERHEAD_BIRTH_NS);
	return record;
}

/* Reads the handle that the real call has written, by which the thread will be joined. It is in the
 * program's memory, which the new thread may free at once: so it is read only while the thread is
 * kept from running the program's code, and not at all if that runs already (then the thread itself
 * has set it). */
static void learn_handle(struct thread *record, const pthread_t *handle)
{
	if (!thread_hold_back(record))
		return;
	thread_set_handle(record, *handle);
	thread_let_go(record);
}

/* Ends the creator's own hold on the record. since_ns: the record's created_ns, read before the
 * thread could change it. */
static void settle(struct thread *self, struct thread *record, bool works, const pthread_t *handle,
		   uint64_t since_ns)
{
	uint64_t now_ns = clock_now_ns();

	thread_creation_took(now_ns - since_ns);
	if (!works) {
		thread_cancel_reservation(record);
		return;
	}
	if (!record->is_detached)
		learn_handle(record, handle);
	thread_end_birth(record);
	thread_release(record);
	overhead_add(self, clock_now_ns() - now_ns, 1, OVERHEAD_LONG_NS);
}

EXPORTED int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
			    void *(*routine)(void *), void *argument)
{
	struct thread *self = thread_or_adopt();
	struct thread *record = self ? prepare(self, attributes, CALLER_HERE) : NULL;

	if (!record)
		return real.pthread_create(handle, attributes, routine, argument);
	record->routine = routine;
	record->c11_routine = NULL;
	record->argument = argument;
	pthread_attr_t larger;
	attributes = with_room(attributes, &larger, record);
	uint64_t since_ns = record->created_ns;
	int result = real.pthread_create(handle, attributes, lifecycle_run_thread, record);
	settle(self, record, result == 0, handle, since_ns);
	return result;
}

EXPORTED int thrd_create(thrd_t *handle, thrd_start_t routine, void *argument)
{
	struct thread *self = thread_or_adopt();
	struct thread *record = self ? prepare(self, NULL, CALLER_HERE) : NULL;

	if (!record)
		return real.thrd_create(handle, routine, argument);
	record->routine = NULL;
	record->c11_routine = routine;
	record->argument = argument;
	uint64_t since_ns = record->created_ns;
	int result = real.thrd_create(handle, lifecycle_run_c11_thread, record);
	settle(self, record, result == thrd_success, (const pthread_t *)handle, since_ns);
	return result;
}

/* A thread that was joined or detached releases its record, whether that was measured or not.
 * Another profile may have begun during a join, and given the record to another thread. */
static int forget_if(bool is_done, struct thread *target, pthread_t handle, int result)
{
	if (is_done && target && __atomic_load_n(&target->handle, __ATOMIC_RELAXED) == handle)
		lifecycle_forget_thread(target);
	return result;
}

/* JOINING(name, parameters, arguments, may_try, operation): a join that may wait; if it need not, a
 * tryjoin is counted. glibc checks the clock before the thread, but not the time. */
#define JOINING(name, parameters, arguments, may_try, operation)                                   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
		struct thread *target = thread_find(handle);                                       \
		int result = EBUSY;                                                                \
                                                                                                   \
		if (!thread) {                                                                     \
			result = real.name arguments;                                              \
			return forget_if(result == 0, target, handle, result);                     \
		}                                                                                  \
		if (may_try)                                                                       \
			result = real.pthread_tryjoin_np(handle, value);                           \
		if (result == EBUSY) {                                                             \
			bool is_measured =                                                         \
				activity_begin_join(thread, target, operation, SITE_HERE);         \
			result = real.name arguments;                                              \
			if (is_measured)                                                           \
				activity_end(thread, wait_call_outcome(result));                   \
		} else {                                                                           \
			activity_count(thread, thread_routine(target), operation, CALLER_HERE);    \
		}                                                                                  \
		return forget_if(result == 0, target, handle, result);                             \
	}

JOINING(pthread_join, (pthread_t handle, void **value), (handle, value), true, OP_JOIN)
JOINING(pthread_timedjoin_np, (pthread_t handle, void **value, const struct timespec *until),
	(handle, value, until), true, OP_TIMEDJOIN)
JOINING(pthread_clockjoin_np,
	(pthread_t handle, void **value, clockid_t clock, const struct timespec *until),
	(handle, value, clock, until), time_limit_has_clock(clock), OP_TIMEDJOIN)

EXPORTED int pthread_tryjoin_np(pthread_t handle, void **value)
{
	struct thread *thread = sync_thread();
	struct thread *target = thread_find(handle);

	if (thread)
		activity_count(thread, thread_routine(target), OP_TRYJOIN, CALLER_HERE);
	int result = real.pthread_tryjoin_np(handle, value);
	return forget_if(result == 0, target, handle, result);
}

EXPORTED int thrd_join(thrd_t handle, int *value)
{
	struct thread *thread = sync_thread();
	struct thread *target = thread_find((pthread_t)handle);
	bool is_measured = thread && activity_begin_join(thread, target, OP_JOIN, SITE_HERE);
	int result = real.thrd_join(handle, value);

	if (is_measured)
		activity_end(thread, wait_call_c11_outcome(result));
	return forget_if(result == thrd_success, target, (pthread_t)handle, result);
}

EXPORTED int pthread_detach(pthread_t handle)
{
	struct thread *thread = sync_thread();
	struct thread *target = thread_find(handle);

	if (thread)
		activity_count(thread, NULL, OP_DETACH, CALLER_HERE);
	int result = real.pthread_detach(handle);
	return forget_if(result == 0, target, handle, result);
}

EXPORTED int thrd_detach(thrd_t handle)
{
	struct thread *thread = sync_thread();
	struct thread *target = thread_find((pthread_t)handle);

	if (thread)
		activity_count(thread, NULL, OP_DETACH, CALLER_HERE);
	int result = real.thrd_detach(handle);
	return forget_if(result == thrd_success, target, (pthread_t)handle, result);
}

EXPORTED void pthread_exit(void *value)
{
	struct thread *thread = sync_thread();

	if (thread)
		activity_count(thread, NULL, OP_EXIT, CALLER_HERE);
	real.pthread_exit(value);
	__builtin_unreachable();
}

EXPORTED void thrd_exit(int value)
{
	struct thread *thread = sync_thread();

	if (thread)
		activity_count(thread, NULL, OP_EXIT, CALLER_HERE);
	real.thrd_exit(value);
	__builtin_unreachable();
}

EXPORTED int pthread_cancel(pthread_t handle)
{
	struct thread *thread = sync_thread();

	if (thread)
		activity_count(thread, NULL, OP_CANCEL, CALLER_HERE);
	return real.pthread_cancel(handle);
}

EXPORTED int pthread_setname_np(pthread_t handle, const char *name)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.pthread_setname_np(handle, name);
	activity_count(thread, NULL, OP_SETNAME, CALLER_HERE);
	/* who sees the new name may free this one */
	char copy[sizeof thread->row->name] = "";
	strncpy(copy, name, sizeof copy - 1);
	int result = real.pthread_setname_np(handle, name);
	struct thread *target = result == 0 ? thread_find(handle) : NULL;
	if (target && target->row)
		memcpy(target->row->name, copy, sizeof copy);
	return result;
}
