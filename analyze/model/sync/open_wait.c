/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/open_wait.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/futex_cause.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>

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

/* What threads have charged to joins of them that never ended, by object. The blame for joins that
 * did end equals their waiting, to the nanosecond. */
static uint64_t *charged_to_open_joins(const struct profile *profile)
{
	uint64_t *charged = memory_allocate(profile->objects.count + 1, sizeof *charged);

	for (size_t i = 0; i < profile->blame.count; i++)
		if (profile->blame.rows[i].cause == CAUSE_JOIN)
			charged[profile->blame.rows[i].object] += profile->blame.rows[i].time_ns;
	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *wait = &profile->waits.rows[i];
		uint64_t *left = &charged[wait->object];

		if (wait->cause == CAUSE_JOIN)
			*left -= wait->sum_ns < *left ? wait->sum_ns : *left;
	}
	return charged;
}

/* Takes the part of it that has been charged. */
static uint64_t take_charged(const struct thread_time *time, uint64_t *charged)
{
	uint64_t *left = &charged[time->thread->waiting_object];
	uint64_t taken = *left < time->open_wait_ns ? *left : time->open_wait_ns;

	if (time->thread->waiting_cause != CAUSE_JOIN)
		return 0;
	*left -= taken;
	return taken;
}

/* Calls of MPI, and barriers of OpenMP, have no object. */
static bool is_for_object(const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;

	return time->open_wait_ns && thread->waiting_cause != CAUSE_OTHER &&
	       thread->waiting_cause != CAUSE_MPI &&
	       (thread->waiting_cause != CAUSE_OPENMP || thread->waiting_object);
}

struct open_waits open_waits_of(const struct profile *profile, const struct process *process)
{
	uint64_t *charged = charged_to_open_joins(profile);
	struct open_waits waits = {
		.rows = memory_allocate(process->thread_count + 1, sizeof *waits.rows)};

	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];

		if (is_for_object(time))
			waits.rows[waits.count++] = (struct open_wait){
				.time = time,
				.operation = open_wait_operation(profile, time->thread),
				.charged_ns = take_charged(time, charged),
			};
	}
	free(charged);
	return waits;
}

void open_waits_clear(struct open_waits *waits)
{
	free(waits->rows);
}

/* Sleeps, and waits for children, signals, input and output: no thread that is known kept this one
 * waiting. */
bool open_wait_is_caused(const struct open_wait *wait)
{
	enum cause cause = (enum cause)wait->time->thread->waiting_cause;

	return !io_is_io(wait->operation) && cause != CAUSE_SLEEP && cause != CAUSE_PROCESS &&
	       cause != CAUSE_SIGNAL;
}

const char *open_wait_holder(const struct open_wait *wait, const struct profile *profile,
			     struct names *names)
{
	const struct profile_thread *thread = wait->time->thread;
	enum cause cause = futex_cause(names, profile, thread->waiting_cause, wait->operation,
				       thread->waiting_path);

	return cause == CAUSE_OPENMP || cause_is_lock(cause) ? "[still held]" : "[unknown]";
}
