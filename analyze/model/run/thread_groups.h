/* SPDX-License-Identifier: MIT */
/* The threads of a run by what they are for: all that have one name, in whatever process, as one.
 *
 * The name is that which the table of threads shows (thread_role.h): the thread's own, or its role.
 * Of runs that keep no row of each thread, groups are programs. The states of a group add up to its
 * lifetime, as those of a thread do. Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/run/run.h"

struct thread_group {
	const char *name;
	uint64_t threads;
	bool is_of_library; /* of an MPI library, which wait for its work */
	struct thread_time time; /* the sum; idle time is taken out of its causes */
};

struct thread_groups {
	struct thread_group *rows; /* the most working time first, and those of a library last */
	size_t count;
};

/* rows are released by the caller. */
struct thread_groups thread_groups_of(const struct run *run);
/* Lifetime without idle time, and without waiting for threads and processes to end: in those their
 * work is done by others. */
double thread_group_working_ns(const struct thread_group *group);
