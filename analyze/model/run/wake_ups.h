/* SPDX-License-Identifier: MIT */
/* Wake-ups by condition variables: how many waits a signal ended, how many of these found nothing
 * to do, and what that costs.
 *
 *     wakes   = waits - those that timed out - failed - spurious
 *             (with the wait that a thread was in when its process ended)
 *     futile  <= wakes: as the profile counts them (schema.def)
 *     cpu_ns  = futile x the kernel's CPU time for each time that a thread of the run went to sleep
 *
 * A futile wake-up is one voluntary context switch, with the waker's call and the sleeper's. The
 * system time also contains what else the kernel did for the program, so each counts for at most
 * the limit wake_up (finding_limits.def). Woken threads also wait for the mutex, which is measured:
 * reacquire_ns, of all wake-ups. In elapsed time the cost is the CPU time if the processors are
 * busy, and the time for which the mutex is held by threads that find nothing to do; finding_stake
 * converts one into the other. Context: pure. Nanoseconds. */
#pragma once

#include <stdint.h>

struct run;
struct sync_row;

struct wake_ups {
	uint64_t wakes, futile;
	double reacquire_ns;
	double cpu_ns; /* of the futile ones, estimated; NAN: the run has no rows of threads */
};

/* Of a row of waits for a condition variable; zeros for other rows. */
struct wake_ups wake_ups_of(const struct run *run, const struct sync_row *row);
/* CPU time of one futile wake-up, estimated; NAN: unknown. */
double wake_ups_cost_ns(const struct run *run);
