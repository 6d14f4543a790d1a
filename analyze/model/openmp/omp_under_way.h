/* SPDX-License-Identifier: MIT */
/* What members of teams did in outermost regions that have not ended: of a process that was killed
 * in one, or still runs. Executions and bodies are recorded when they end; of a body under way the
 * work is what is left of the thread's time: its life in regions, without the waits in the runtime
 * and without the work in bodies that ended. Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/read/profile.h"

struct process;

struct omp_under_way {
	double team_elapsed_ns; /* team x time so far, of those whose team is known */
	double work_ns;         /* of all members */
	double work_most_ns;    /* of the member that worked most */
};

/* How long an outermost region that the thread started has been under way; 0: none is. */
double omp_under_way_ns(const struct profile *profile, const struct profile_omp_thread *row,
			uint64_t end_ns);
struct omp_under_way omp_under_way_of(const struct profile *profile, const struct process *process);
