/* SPDX-License-Identifier: MIT */
/* processors.json of a run: what its processors did while the program ran, whoever used them.
 *
 * Written by ptrace-run when the program has ended; not there for runs of several hosts, of a
 * launcher's ranks, of a killed ptrace-run, and of older versions. Context: reads a file. Times in
 * nanoseconds; instants are of CLOCK_MONOTONIC of the host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct processors_used {
	bool is_known;
	char host[256];
	size_t count; /* of processors that the program could use when it started */
	uint64_t begin_ns, end_ns;
	uint64_t within_ns; /* the counts may lie so far from these instants, both together */
	/* between the two, of these processors together; each may be too small by a tick for each
	 * processor */
	uint64_t busy_ns, idle_ns, steal_ns;
	uint64_t tick_ns;
	uint64_t own_ns; /* CPU time of ptrace-run and of all processes below it that were waited
			    for */
};

/* What is missing, or is no such file, is unknown. */
struct processors_used processors_used_read(const char *directory);
