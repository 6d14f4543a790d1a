/* SPDX-License-Identifier: MIT */
/* How many processors a run may use.
 *
 * Of each host the union of what its processes may use: launchers of MPI bind each rank to a part.
 * Parts are told apart by their size and first processor; parts that overlap count twice, but
 * never for more than the host has. What exec replaced does not count. Profiles that do not say the
 * first processor: the largest part. Context: pure. */
#pragma once

#include "analyze/model/process/process.h"

/* 0: unknown. hosts: the different names, of which each is kept once (run_files): compared as
 * pointers. */
uint64_t run_count_processors(const struct process *processes, size_t count,
			      const char *const *hosts, size_t host_count);
