/* SPDX-License-Identifier: MIT */
/* What a wait for a futex is a wait for: a lock, an initialisation, a barrier, the end of threads;
 * or what cannot be told from the call, and stays a futex: a queue, an event, a lock of the
 * program's own.
 *
 * FUTEX_LOCK_PI waits for a lock. Otherwise the routines of the library tell that lie between the
 * call and the program's code, the innermost one first: a mutex that a condition takes again is a
 * mutex, a barrier that is made of a condition is a barrier. Without symbols, nothing tells.
 *
 * A wait for a semaphore is one for the end of a thread in Python's Thread.join, if functions of
 * Python have names.
 *
 * Context: pure but for names. */
#pragma once

#include "preload/file/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names;
struct profile;

/* CAUSE_MUTEX, CAUSE_RWLOCK, CAUSE_ONCE, CAUSE_BARRIER, CAUSE_JOIN or CAUSE_FUTEX. cause: that of
 * the profile; all but CAUSE_FUTEX are returned as they are, and CAUSE_SEMAPHORE but for
 * CAUSE_JOIN. */
enum cause futex_cause(struct names *names, const struct profile *profile, uint64_t cause,
		       uint64_t operation, size_t callpath);

/* The routines of the library, as they are read from the innermost one on. */
struct futex_reading {
	bool is_signalled; /* in a wait for a signal, of which more may be made */
	enum cause found;  /* CAUSE_FUTEX: nothing yet */
};
void futex_read_routine(struct futex_reading *reading, const char *routine);
