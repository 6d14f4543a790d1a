/* SPDX-License-Identifier: MIT */
/* Threads with the same role (thread_role.h) are supposed to do equal shares of one work: finds the
 * group of a process that loses most because they do not. Idle threads (idle_threads.h) are
 * ignored. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/tables/merged.h"

struct process;

/* Columns: merged.def.
 *
 *   count      threads in the group; 0: no group loses anything
 *   sum, max   CPU time, without what they only spun (thread_time_worked)
 *   kept       for which others wanted to work and could not, beyond the longest thread: in waits
 *              for locks, or ready for a processor
 *   lost       thread time that was not used because the others had less work than the longest:
 *              count x max_ns - sum_ns - kept_ns
 *   excess     CPU time above the mean, of all threads that have more
 *   start      the role; line: where its routine begins, 0: unknown */
struct imbalance {
	struct merged_imbalance;
};

struct imbalance imbalance_of(struct names *names, const struct profile *profile,
			      const struct process *process);
/* Elapsed time that equal work would save the group; 0: there is no group. */
double imbalance_uneven_ns(const struct imbalance *group);
