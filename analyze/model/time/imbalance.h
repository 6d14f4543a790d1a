/* SPDX-License-Identifier: MIT */
/* Threads with one role (thread_role.h) are supposed to do equal shares of one work: the group of a
 * process in which most is lost because they do not. Idle threads (idle_threads.h) do not count.
 * Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"

struct process;

struct imbalance {
	size_t count;          /* threads in the group; 0: no group loses anything */
	double sum_ns, max_ns; /* CPU time */
	double kept_ns;        /* that others wanted to work and could not, beyond the longest's: in
				  waits for locks, and ready for a processor */
	double lost_ns;        /* time that count threads would have won if all were the slowest's
				  equals */
	double excess_ns;      /* CPU time beyond the mean, of all threads that have more */
	uint64_t longest_tid;
	const char *longest_name; /* its name, or its role; kept by the names */
	struct frame start;       /* the role; line: where that routine begins, 0: unknown */
};

struct imbalance imbalance_of(struct names *names, const struct profile *profile,
			      const struct process *process);
