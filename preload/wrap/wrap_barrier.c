/* SPDX-License-Identifier: MIT */
/* pthread_barrier_*. Every arrival is a wait; that of the last thread is as long as the call. */
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/wait_call.h"

/* The beginning of glibc's barrier (2.25 and later). */
struct glibc_barrier {
	unsigned in, current_round, count;
	int shared; /* 0: between threads of one process */
};

/* How many threads have to arrive; 0: not known, because other processes may take part. */
static unsigned participants_of(const pthread_barrier_t *barrier)
{
	const struct glibc_barrier *inside = (const void *)barrier;

	return inside->shared ? 0 : inside->count;
}

EXPORTED int pthread_barrier_init(pthread_barrier_t *barrier,
				  const pthread_barrierattr_t *attributes, unsigned count)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_barrier_init(barrier, attributes, count);

	if (!result)
		activity_object_begins(thread, barrier, OBJECT_BARRIER, CALLER_HERE);
	return result;
}

EXPORTED int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	struct thread *thread = sync_thread();
	int result = real.pthread_barrier_destroy(barrier);

	if (!result)
		activity_object_ends(thread, barrier, OBJECT_BARRIER);
	return result;
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.pthread_barrier_wait(barrier);
	const struct site *site = SITE_HERE;
	bool is_measured = activity_begin_barrier(thread, barrier, participants_of(barrier), site);
	struct wait_call call =
		wait_call_begun(thread, OP_BARRIER_WAIT, barrier, is_measured, site);
	int result = real.pthread_barrier_wait(barrier);
	wait_call_end(&call, OUTCOME_DONE);
	return result;
}
