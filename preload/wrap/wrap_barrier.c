/* SPDX-License-Identifier: MIT */
/* pthread_barrier_*. Every arrival is a wait; the last one's is as long as the call. */
#include "activity.h"
#include "real.h"
#include "sync_thread.h"

EXPORTED int pthread_barrier_init(pthread_barrier_t *barrier,
				  const pthread_barrierattr_t *attributes, unsigned count)
{
	struct thread *thread = sync_thread();

	if (thread && thread->row) {
		object_initialised(barrier, OBJECT_BARRIER, CALLER_HERE);
		struct object *object = object_find(barrier, OBJECT_BARRIER, CALLER_HERE);
		if (object) {
			object->participants = count;
			object_set_detail(object, count);
		}
	}
	return real.pthread_barrier_init(barrier, attributes, count);
}

EXPORTED int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	if (sync_thread())
		object_destroyed(barrier, OBJECT_BARRIER);
	return real.pthread_barrier_destroy(barrier);
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.pthread_barrier_wait(barrier);
	bool is_measured = activity_begin_barrier(thread, barrier, SITE_HERE);
	int result = real.pthread_barrier_wait(barrier);
	if (is_measured)
		activity_end(thread, OUTCOME_DONE);
	else
		activity_count(thread, barrier, OP_BARRIER_WAIT, CALLER_HERE);
	return result;
}
