/* SPDX-License-Identifier: MIT */
/* The processes of a run by program (run_program.h): what a build or a script spent its time on.
 * Context: pure. Times in nanoseconds. */
#pragma once

#include "analyze/model/run/run.h"

struct program {
	const char *name;
	uint64_t processes, threads;
	uint64_t cpu_ns, ready_ns;
	uint64_t elapsed_ns;        /* the sum over its processes */
	uint64_t longest_ns;        /* elapsed time of the longest process */
	uint64_t memory_peak_bytes; /* of the process with most; 0: unknown */
	uint64_t failed;            /* processes that ended by a signal, or with another status
				       than 0 */
};

struct programs {
	struct program *rows; /* the most CPU time first */
	size_t count;
};

/* rows are released by the caller. */
struct programs programs_of(const struct run *run);
