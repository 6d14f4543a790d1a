/* SPDX-License-Identifier: MIT */
/* pthread_once and call_once: one thread runs the routine, others wait for it meanwhile. A call is
 * taken for a wait, until it turns out to run the routine: that is called through a routine of
 * ours, which ends the wait. */
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/activity.h"
#include "preload/waits/release.h"

/* A once of this thread. In the wrapper's frame, so valid while the real call runs. */
struct once_call {
	void (*routine)(void);
	const void *control;
	const struct site *site;
	struct once_call *outer;
	bool is_measured;
	bool has_run;
};

static __thread struct once_call *innermost;

static void run(void)
{
	struct once_call *call = innermost;
	struct thread *thread = thread_current();

	call->has_run = true;
	if (call->is_measured && thread)
		activity_cancel(thread);
	innermost = call->outer;
	call->routine();
	thread = thread_current(); /* the routine may have forked, and this is the child */
	if (thread && release_is_awaited(call->control))
		release_object(thread, call->control, OBJECT_ONCE, call->site);
}

static void prepare(struct thread *thread, struct once_call *call)
{
	call->outer = innermost;
	call->is_measured = activity_begin(thread, CAUSE_ONCE, OP_ONCE, call->control, call->site);
	innermost = call;
}

static void finish(struct thread *thread, struct once_call *call)
{
	innermost = call->outer;
	if (call->is_measured && !call->has_run)
		activity_end(thread, OUTCOME_DONE);
	else
		activity_count(thread, call->control, OP_ONCE, call->site->caller);
}

/* glibc's control is 2 when the routine has run. */
static bool is_done(const int *control)
{
	return likely(__atomic_load_n(control, __ATOMIC_ACQUIRE) & 2);
}

EXPORTED int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return real.pthread_once(control, routine);
	if (is_done(control)) {
		activity_count(thread, control, OP_ONCE, CALLER_HERE);
		return real.pthread_once(control, routine);
	}
	struct once_call call = {.routine = routine, .control = control, .site = SITE_HERE};
	prepare(thread, &call);
	int result = real.pthread_once(control, run);
	finish(thread, &call);
	return result;
}

EXPORTED void call_once(once_flag *control, void (*routine)(void))
{
	struct thread *thread = sync_thread();

	if (unlikely(!thread)) {
		real.call_once(control, routine);
		return;
	}
	if (is_done(&control->__data)) {
		activity_count(thread, control, OP_ONCE, CALLER_HERE);
		real.call_once(control, routine);
		return;
	}
	struct once_call call = {.routine = routine, .control = control, .site = SITE_HERE};
	prepare(thread, &call);
	real.call_once(control, run);
	finish(thread, &call);
}

ALIAS(__pthread_once, pthread_once)
