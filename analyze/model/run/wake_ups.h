/* SPDX-License-Identifier: MIT */
/* Wake-ups by conditions: how many waits a signal ended, how many of them found nothing, and what
 * that takes.
 *
 *     wakes   = waits - those whose time was up - failed - spurious
 *             (with the wait that a thread was in when its process ended)
 *     futile  <= wakes: as the profile counts them (schema.def)
 *     cpu_ns  = futile x the kernel's CPU time for each time that a thread of the run went to sleep
 *
 * A futile wake-up is one voluntary context switch, with the waker's call and the sleeper's; what
 * else the kernel did for the program is in its CPU time as well, so each counts for the limit
 * wake_up at most (finding_limits.def). Woken threads also wait for the mutex, which is measured:
 * reacquire_ns, of all wake-ups. In elapsed time the cost is the CPU time where the processors are
 * busy, and what the mutex is held by those who only look; finding_stake makes one of the other.
 * Context: pure. Nanoseconds. */
#pragma once

#include <stdint.h>

struct run;
struct sync_row;

struct wake_ups {
	uint64_t wakes, futile;
	double reacquire_ns;
	double cpu_ns; /* of the futile ones, estimated; NAN: threads are not kept apart */
};

/* Of a row of waits for a condition; of other rows all is 0. */
struct wake_ups wake_ups_of(const struct run *run, const struct sync_row *row);
/* CPU time of one, estimated; NAN: unknown. */
double wake_ups_cost_ns(const struct run *run);
