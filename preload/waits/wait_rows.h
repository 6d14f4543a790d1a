/* SPDX-License-Identifier: MIT */
/* The rows of the table waits. Context: own thread. */
#pragma once

#include "preload/file/durations.h"
#include "preload/thread/thread.h"

enum outcome {
	OUTCOME_DONE,
	OUTCOME_TIMEOUT,
	OUTCOME_FAILED,
	OUTCOME_ABANDONED, /* never returned */
};

/* Where a wait is counted; where all rows are in use with others on the same object, at last with
 * all of that operation. Its object is noted in the wait: blame goes to the same. NULL: nowhere. */
struct row_waits *wait_rows_find(struct thread *thread, struct open_wait *wait);

static inline void wait_rows_add(struct row_waits *row, uint64_t ns, enum outcome outcome)
{
	durations_add(DURATIONS_OF(row), ns, !row->count);
	row->timeouts += outcome == OUTCOME_TIMEOUT;
	row->failed += outcome == OUTCOME_FAILED || outcome == OUTCOME_ABANDONED;
	row->count++;
}
