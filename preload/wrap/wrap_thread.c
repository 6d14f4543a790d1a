/* SPDX-License-Identifier: MIT */
/* Lives of threads: pthread_create, join, detach, exit, cancel, setname and C11's. */
#include "activity.h"
#include "lifecycle.h"
#include "program_mask.h"
#include "real.h"
#include "sync_thread.h"

#include <errno.h>
#include <string.h>

static struct thread *prepare(struct thread *self, const pthread_attr_t *attributes,
			      uint64_t caller)
{
	int state = PTHREAD_CREATE_JOINABLE;
	size_t stack_bytes = 0;

	activity_count(self, NULL, OP_CREATE, caller);
	if (attributes) {
		pthread_attr_getdetachstate(attributes, &state);
		pthread_attr_getstacksize(attributes, &stack_bytes);
	}
	struct thread *record =
		lifecycle_prepare_thread(state == PTHREAD_CREATE_JOINABLE, stack_bytes);
	if (record) {
		record->is_detached = state != PTHREAD_CREATE_JOINABLE;
		record->starts_blocked = program_mask_blocks();
	}
	return record;
}

static void settle(struct thread *record, bool works, pthread_t handle)
{
	if (!works)
		thread_cancel_reservation(record);
	else if (!record->is_detached) /* a detached one may be gone, and its record another
					  thread's */
		thread_set_handle(record, handle);
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
	bool is_detached = record->is_detached;
	int result = real.pthread_create(handle, attributes, lifecycle_run_thread, record);
	if (result || !is_detached)
		settle(record, result == 0, result ? 0 : *handle);
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
	int result = real.thrd_create(handle, lifecycle_run_c11_thread, record);
	settle(record, result == thrd_success, result == thrd_success ? (pthread_t)*handle : 0);
	return result;
}

static enum outcome outcome_of(int result)
{
	return result == 0 ? OUTCOME_DONE : result == ETIMEDOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
}

/* JOINING(name, parameters, arguments, operation): a join that may wait; one that need not is tried
 * and counted. */
#define JOINING(name, parameters, arguments, operation)                                            \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (!thread)                                                                       \
			return real.name arguments;                                                \
		struct thread *target = thread_find(handle);                                       \
		int result = real.pthread_tryjoin_np(handle, value);                               \
		if (result == EBUSY) {                                                             \
			bool is_measured =                                                         \
				activity_begin_join(thread, target, operation, SITE_HERE);         \
			result = real.name arguments;                                              \
			if (is_measured)                                                           \
				activity_end_join(thread, target, outcome_of(result));             \
		} else {                                                                           \
			activity_count(thread, thread_routine(target), operation, CALLER_HERE);    \
		}                                                                                  \
		if (result == 0)                                                                   \
			lifecycle_forget_thread(target);                                           \
		return result;                                                                     \
	}

JOINING(pthread_join, (pthread_t handle, void **value), (handle, value), OP_JOIN)
JOINING(pthread_timedjoin_np, (pthread_t handle, void **value, const struct timespec *until),
	(handle, value, until), OP_TIMEDJOIN)
JOINING(pthread_clockjoin_np,
	(pthread_t handle, void **value, clockid_t clock, const struct timespec *until),
	(handle, value, clock, until), OP_TIMEDJOIN)

EXPORTED int pthread_tryjoin_np(pthread_t handle, void **value)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.pthread_tryjoin_np(handle, value);
	struct thread *target = thread_find(handle);
	activity_count(thread, thread_routine(target), OP_TRYJOIN, CALLER_HERE);
	int result = real.pthread_tryjoin_np(handle, value);
	if (result == 0)
		lifecycle_forget_thread(target);
	return result;
}

EXPORTED int thrd_join(thrd_t handle, int *value)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.thrd_join(handle, value);
	struct thread *target = thread_find((pthread_t)handle);
	bool is_measured = activity_begin_join(thread, target, OP_JOIN, SITE_HERE);
	int result = real.thrd_join(handle, value);
	if (is_measured)
		activity_end_join(thread, target,
				  result == thrd_success ? OUTCOME_DONE : OUTCOME_FAILED);
	if (result == thrd_success)
		lifecycle_forget_thread(target);
	return result;
}

EXPORTED int pthread_detach(pthread_t handle)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.pthread_detach(handle);
	struct thread *target = thread_find(handle);
	activity_count(thread, NULL, OP_DETACH, CALLER_HERE);
	int result = real.pthread_detach(handle);
	if (result == 0)
		lifecycle_forget_thread(target);
	return result;
}

EXPORTED int thrd_detach(thrd_t handle)
{
	struct thread *thread = sync_thread();

	if (!thread)
		return real.thrd_detach(handle);
	struct thread *target = thread_find((pthread_t)handle);
	activity_count(thread, NULL, OP_DETACH, CALLER_HERE);
	int result = real.thrd_detach(handle);
	if (result == thrd_success)
		lifecycle_forget_thread(target);
	return result;
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
	int result = real.pthread_setname_np(handle, name);
	struct thread *target = result == 0 ? thread_find(handle) : NULL;
	if (target && target->row)
		strncpy(target->row->name, name, sizeof target->row->name - 1);
	return result;
}
