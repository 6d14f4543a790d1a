/* SPDX-License-Identifier: MIT */
/* ptrace-diff A B: what changed between two runs, or two groups of runs. */
#pragma once

#include "analyze/diff/diff_options.h"

/* Reads the runs, prints, and returns the exit status. */
int diff_run(const struct diff_options *options);
