/* SPDX-License-Identifier: MIT */
/* processors.json of a run: what its processors did while the program ran, for whichever program.
 *
 * Written by ptrace-run when the program has ended. Missing for runs on several hosts, for ranks
 * under a launcher, if ptrace-run was killed, and in runs of older versions. Context: reads a file.
 * Times in nanoseconds; instants are CLOCK_MONOTONIC of the host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct processors_used {
	bool is_known;
	char host[256];
	size_t count; /* processors that the program could use when it started */
	uint64_t begin_ns, end_ns;
	uint64_t within_ns; /* the counts may have been read so far from these instants, both
			       together */
	/* between the two instants, of these processors together; each may be too small by one tick
	 * per processor */
	uint64_t busy_ns, idle_ns, steal_ns;
	uint64_t tick_ns;
	uint64_t own_ns; /* CPU time of ptrace-run and of all descendants that were waited for */
	uint64_t children_ns; /* of that: of the descendants */
	bool are_children_known;
};

/* If the file is missing, or is no such file, is_known is false. */
struct processors_used processors_used_read(const char *directory);
