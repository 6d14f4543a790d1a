/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/open_wait.h"

/* The thread's record has the cause of its present wait, but not the call: an earlier wait at the
 * same place tells. */
enum operation open_wait_operation(const struct profile *profile,
				   const struct profile_thread *thread)
{
	static const enum operation usual[CAUSE_LIMIT] = {
		[CAUSE_MUTEX] = OP_MUTEX_LOCK,
		[CAUSE_RWLOCK] = OP_RWLOCK_WRITE,
		[CAUSE_SPINLOCK] = OP_SPIN_LOCK,
		[CAUSE_CONDITION] = OP_COND_WAIT,
		[CAUSE_BARRIER] = OP_BARRIER_WAIT,
		[CAUSE_SEMAPHORE] = OP_SEM_WAIT,
		[CAUSE_ONCE] = OP_ONCE,
		[CAUSE_JOIN] = OP_JOIN,
		[CAUSE_SLEEP] = OP_NANOSLEEP,
		[CAUSE_PROCESS] = OP_WAIT_CHILD,
		[CAUSE_SIGNAL] = OP_SIGWAIT,
		[CAUSE_FUTEX] = OP_FUTEX_WAIT,
		[CAUSE_READ] = OP_READ,
		[CAUSE_WRITE] = OP_WRITE,
		[CAUSE_EVENTS] = OP_EPOLL_WAIT,
		[CAUSE_ACCEPT] = OP_ACCEPT,
		[CAUSE_CONNECT] = OP_CONNECT,
		[CAUSE_OPEN] = OP_OPEN,
		[CAUSE_DISK] = OP_FSYNC,
		[CAUSE_FILE_LOCK] = OP_FLOCK,
		[CAUSE_IPC] = OP_MQ_RECEIVE,
	};

	/* what OpenMP calls a lock is known by its kind */
	static const enum operation of_openmp[OBJECT_KIND_COUNT] = {
		[OBJECT_CRITICAL] = OP_CRITICAL,
		[OBJECT_OMP_LOCK] = OP_OMP_SET_LOCK,
		[OBJECT_ORDERED] = OP_ORDERED,
		[OBJECT_ATOMIC] = OP_ATOMIC,
	};
	uint64_t kind = profile->objects.rows[thread->waiting_object].kind;

	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *wait = &profile->waits.rows[i];

		if (wait->callpath == thread->waiting_path &&
		    wait->object == thread->waiting_object && wait->cause == thread->waiting_cause)
			return (enum operation)wait->operation;
	}
	if (thread->waiting_cause == CAUSE_OPENMP && kind < OBJECT_KIND_COUNT)
		return of_openmp[kind];
	return usual[thread->waiting_cause];
}
