/* SPDX-License-Identifier: MIT */
/* A running program's run so far, as a run of its own.
 *
 * It has a copy of each profile as it is at that instant, from the program's begin on: profiles
 * hold sums, of which no minute can be cut out. The copy of a process that lives has the state
 * "saved", and the instant of the copy as its end: reports would otherwise go on with the process.
 * Context: reads and writes files. */
#pragma once

#include "analyze/read/run_read.h"

/* Makes RUN.saved.N in the current directory, with the lowest N that is free. Its name, which the
 * caller releases; NULL, with a reason that the caller releases, and nothing is left behind. */
char *live_save_run(const struct run_files *files, char **problem);
