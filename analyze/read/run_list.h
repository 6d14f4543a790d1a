/* SPDX-License-Identifier: MIT */
/* Where runs are: directories that hold one. Context: reads directories, prints nothing. */
#pragma once

#include "analyze/base/text_list.h"

/* The directories of runs: `directory` itself or, if it is none, those below it, down to
 * RUN_FIND_LEVELS levels, as the newest one is looked for (run_find.h); not those inside of a run,
 * hidden ones, and what symbolic links lead to. Paths begin with `directory`, unless it is ".".
 * `problem`: why it cannot be read, which the caller releases; else NULL. */
struct text_list run_list_of(const char *directory, char **problem);
