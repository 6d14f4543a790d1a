/* SPDX-License-Identifier: MIT */
/* A running program's run so far, as a run of its own.
 *
 * It has a copy of each profile as it is at that instant, from the program's begin on: profiles
 * hold sums, so that a part of the time alone cannot be cut out of them. In the copy of a process
 * that lives, the profiling ends at that instant, as if the profiler had been detached from it:
 * otherwise reports of the copy would go on with the process. Context: reads and writes files. */
#pragma once

#include "analyze/read/run_read.h"

/* Makes RUN.saved.N in the current directory, with the lowest N that is free. Its name, which the
 * caller releases; NULL, with a reason that the caller releases, and nothing is left behind. */
char *live_save_run(const struct run_files *files, char **problem);
