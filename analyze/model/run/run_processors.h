/* SPDX-License-Identifier: MIT */
/* How many processors a run may use.
 *
 * For each host the union of what its processes may use: MPI launchers bind each rank to a part.
 * Parts are identified by their size and first processor; parts that overlap count twice, but never
 * for more than the host has. Images that exec replaced are ignored unless there are no others. If
 * profiles do not record the first processor: the largest part. Context: pure. */
#pragma once

#include "analyze/model/process/process.h"

/* 0: unknown. hosts: the distinct names, each of them interned (run_files): they are compared as
 * pointers. */
uint64_t run_count_processors(const struct process *processes, size_t count,
			      const char *const *hosts, size_t host_count);
