/* SPDX-License-Identifier: MIT */
/* Waiting time that the row of a wait has, and that nobody was charged with yet.
 *
 * A handler of the program may jump out between the wait's row and those of blame, and both have to
 * agree to the nanosecond. So what is owed changes together with the sum that changes: both values
 * are written down first, and who finds them there stores them again. Context: own thread, is_busy;
 * signal handlers stay out. All zero: nothing is owed. */
#pragma once

#include "preload/base/interrupted.h"
#include "preload/file/schema.h"

struct owed {
	struct row_waits *row; /* of the wait */
	uint64_t ns;
	uint64_t *sum; /* NULL, or the change that is under way: */
	uint64_t sum_after, ns_after;
};

/* Once more does no harm. The child of a handler that forked finds nothing: its records are
 * empty. */
static inline void owed_finish(struct owed *owed)
{
	uint64_t *sum = owed->sum;

	if (!sum)
		return;
	*sum = owed->sum_after;
	owed->ns = owed->ns_after;
	interrupted_fence();
	owed->sum = NULL;
}

/* Adds ns to the sum; from then on ns_after is owed. */
static inline void owed_change(struct owed *owed, uint64_t *sum, uint64_t ns, uint64_t ns_after)
{
	owed->sum_after = *sum + ns;
	owed->ns_after = ns_after;
	interrupted_fence();
	owed->sum = sum;
	interrupted_fence();
	owed_finish(owed);
}

/* Somebody is charged with ns. */
static inline void owed_pay(struct owed *owed, uint64_t *sum, uint64_t ns)
{
	owed_change(owed, sum, ns, owed->ns > ns ? owed->ns - ns : 0);
}
