/* SPDX-License-Identifier: MIT */
/* Sleeps: waits for nobody. */
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/waits/activity.h"

#define SLEEPING(type, name, parameters, arguments, operation)                                     \
	EXPORTED type name parameters                                                              \
	{                                                                                          \
		struct thread *thread = sync_thread();                                             \
                                                                                                   \
		if (unlikely(!thread))                                                             \
			return real.name arguments;                                                \
		bool is_measured =                                                                 \
			activity_begin(thread, CAUSE_SLEEP, operation, NULL, SITE_HERE);           \
		type result = real.name arguments;                                                 \
		if (is_measured) {                                                                 \
			activity_end(thread, result ? OUTCOME_FAILED : OUTCOME_DONE);              \
		} else {                                                                           \
			activity_count(thread, NULL, operation, CALLER_HERE);                      \
			activity_within_wait(thread);                                              \
		}                                                                                  \
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
