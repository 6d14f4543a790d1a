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

/* The row that counts a wait. If the table is full, a row for all call paths of its object, or else
 * for all waits of its cause and operation. Sets wait->row_object, the object that blame is charged
 * with. NULL: there is none. */
struct row_waits *wait_rows_find(struct thread *thread, struct open_wait *wait);

/* owed_ns: the part of it that the thread is about to charge to somebody. */
static inline void wait_rows_add(struct thread *thread, struct row_waits *row, uint64_t ns,
				 uint64_t owed_ns, enum outcome outcome)
{
	durations_note(DURATIONS_OF(row), ns, !row->count);
	thread->owed.row = row;
	owed_change(&thread->owed, &row->sum_ns, ns, owed_ns);
	row->timeouts += outcome == OUTCOME_TIMEOUT;
	row->failed += outcome == OUTCOME_FAILED || outcome == OUTCOME_ABANDONED;
	row->count++;
}
