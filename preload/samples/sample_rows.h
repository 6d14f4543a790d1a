/* SPDX-License-Identifier: MIT */
/* A thread's rows of the table `samples`: CPU time by call path and by concurrency.
 *
 * A thread that meets many stacks gets larger tables as long as all threads together leave room for
 * what else the profile holds. When there is no more, what a sample says is kept in the order of
 * what users ask for: the innermost routine without its callers, then a shorter path, and only
 * where none of these has a row the row [other].
 *
 * Context: own thread, in the handler of samples. */
#pragma once

#include "preload/thread/thread.h"

/* Where a sample of that stack, whose path is known, is counted; NULL: nowhere. */
struct row_samples *sample_row(struct thread *thread, const struct unwind_path *walk, uint32_t path,
			       uint32_t level);

/* Fork child. */
void sample_rows_reset(void);
