/* SPDX-License-Identifier: MIT */
/* Sleeps: waits that nobody causes. */
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/wait_call.h"

/* A sleep within another wait is not measured. */
static void end_sleep(const struct wait_call *call, bool has_failed)
{
	wait_call_end(call, has_failed ? OUTCOME_FAILED : OUTCOME_DONE);
	if (!call->is_measured)
		activity_within_wait(call->thread);
}

/* SLEEPING(type, name, parameters, arguments, operation) */
#define SLEEPING(type, name, parameters, arguments, operation)                                     \
	EXPORTED type name parameters                                                              \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		struct wait_call call =                                                            \
			wait_call_begin(thread, CAUSE_SLEEP, operation, NULL, SITE_HERE);          \
		type result = real.name arguments;                                                 \
		end_sleep(&call, result != 0);                                                     \
		return result;                                                                     \
	}

SLEEPING(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left),
	 OP_NANOSLEEP)
SLEEPING(int, clock_nanosleep,
	 (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
	 (clock, flags, time, left), OP_CLOCK_NANOSLEEP)
SLEEPING(int, usleep, (useconds_t time), (time), OP_USLEEP)
SLEEPING(unsigned, sleep, (unsigned time), (time), OP_SLEEP)
SLEEPING(int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left),
	 OP_NANOSLEEP)

EXPORTED int sched_yield(void)
{
	struct thread *thread = sync_thread();

	if (likely(thread))
		activity_count(thread, NULL, OP_YIELD, CALLER_HERE);
	return real.sched_yield();
}

EXPORTED void thrd_yield(void)
{
	struct thread *thread = sync_thread();

	if (likely(thread))
		activity_count(thread, NULL, OP_YIELD, CALLER_HERE);
	real.thrd_yield();
}

ALIAS(__nanosleep, nanosleep)
ALIAS(__sched_yield, sched_yield)
