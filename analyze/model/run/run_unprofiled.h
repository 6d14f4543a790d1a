/* SPDX-License-Identifier: MIT */
/* CPU time of the run's processes that no profile has: of the kernel and of the loader before a
 * profile begins (fork, exec, dynamic linking) and after it has ended (exit), of the profiler's own
 * start, and of programs that are not profiled.
 *
 *     unprofiled = CPU time of the processes that were waited for - CPU time of the profiles
 *
 * The first is the kernel's (processors_used.h), exact; a process that nobody waited for is not in
 * it, so there is at least so much. Unknown (NAN) as others are (run_others.h). Context: pure.
 * Nanoseconds. */
#pragma once

#include <stdbool.h>

struct run;

struct run_unprofiled {
	double cpu_ns;
	double start_ns; /* of that: the profiler's start, at least: to load it is not in it. NAN:
			    unknown */
};

struct run_unprofiled run_unprofiled_of(const struct run *run);
/* Is it more than 5 % of all, and than 10 ms? */
bool run_unprofiled_is_much(const struct run *run, const struct run_unprofiled *unprofiled);
