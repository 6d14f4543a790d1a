/* SPDX-License-Identifier: MIT */
/* What threads waited for at futexes, and at semaphores of Python (futex_cause.h): the time in
 * which a thread was blocked for futexes is divided among locks, barriers and so on (futex_cause.h)
 * in the proportion of its waits, the present one included. Of what stays a futex a part may be
 * waits for futexes at which the thread takes turns: it also wakes those who wait there, at least
 * once in ten waits, as a lock's owner does.
 *
 * Context: pure but for names. */
#pragma once

#include <stddef.h>

struct names;
struct profile;
struct thread_time;
struct futex_waits; /* of one thread */

/* By row of profile->threads; released by the caller. */
struct futex_waits *futex_waits_of(struct names *names, const struct profile *profile);
/* Moves time from by_cause_ns[CAUSE_FUTEX] to other causes; what is left of it, and turns_ns. */
void futex_waits_divide(const struct futex_waits *all, struct names *names,
			const struct profile *profile, struct thread_time *time);
