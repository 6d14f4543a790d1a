/* SPDX-License-Identifier: MIT */
/* A thread's rows of the table `samples`: CPU time by call path, concurrency, and cause
 * of the wait that it was in.
 *
 * A thread with many different stacks gets larger tables, as long as those of all threads leave
 * room for the rest of the profile. If there is no room for a stack's row, its sample is counted in
 * that of its innermost routine without callers, else in that of a shorter path, and only if there
 * is none in the row [other].
 *
 * Context: own thread, in the signal handler. */
#pragma once

#include "preload/thread/thread.h"

/* The row for a sample of that stack; path: the stack's; cause: enum cause, 0: in no wait. NULL:
 * there is none. */
struct row_samples *sample_row(struct thread *thread, const struct unwind_path *walk, uint32_t path,
			       uint32_t level, uint32_t cause);

/* Fork child. */
void sample_rows_reset(void);
