/* SPDX-License-Identifier: MIT */
/* The form of a wrapped call that may have to wait:
 *
 *     struct wait_call call = wait_call_begin(thread, CAUSE_BARRIER, ..., SITE_HERE);
 *     int result = real.pthread_barrier_wait(barrier);
 *     wait_call_end(&call, OUTCOME_DONE);
 *
 * A call that is not measured, because it is inside another wait, is counted. Context: own
 * thread. */
#pragma once

#include "preload/waits/activity.h"
#include "preload/waits/quick_wait.h"

struct wait_call {
	struct thread *thread;
	const void *object; /* NULL: none */
	enum operation operation;
	bool is_measured;
	uint64_t caller;
};

/* is_measured: what a special begin of activity.h (condition, barrier, join) returned. */
static inline struct wait_call wait_call_begun(struct thread *thread, enum operation operation,
					       const volatile void *object, bool is_measured,
					       const struct site *site)
{
	return (struct wait_call){thread, (const void *)object, operation, is_measured,
				  site->caller};
}

static inline struct wait_call wait_call_begin(struct thread *thread, enum cause cause,
					       enum operation operation,
					       const volatile void *object, const struct site *site)
{
	bool is_measured = activity_begin(thread, cause, operation, (const void *)object, site);

	return wait_call_begun(thread, operation, object, is_measured, site);
}

/* The same, and only timed if there are too many (semaphores, spin locks). */
static inline struct wait_call wait_call_begin_rated(struct thread *thread, enum cause cause,
						     enum operation operation,
						     const volatile void *object,
						     const struct site *site)
{
	bool is_measured = quick_wait_begin_announced(thread, (const void *)object, NULL, site) ||
			   activity_begin(thread, cause, operation, (const void *)object, site);

	return wait_call_begun(thread, operation, object, is_measured, site);
}

static inline void wait_call_end(const struct wait_call *call, enum outcome outcome)
{
	if (call->is_measured && call->thread->wait.is_quick)
		quick_wait_end_announced(call->thread, outcome);
	else if (call->is_measured)
		activity_end(call->thread, outcome);
	else
		activity_count(call->thread, call->object, call->operation, call->caller);
}

/* The outcome of calls that return an error number: EOWNERDEAD is success. */
enum outcome wait_call_outcome(int error);
/* Of C11's calls. */
enum outcome wait_call_c11_outcome(int result);
