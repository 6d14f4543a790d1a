/* SPDX-License-Identifier: MIT */
/* ptrace-diff --run N OLD ... -- NEW ...: starts both programs in turn under ptrace-run, and ends
 * as soon as the verdict is certain (diff/sequence.h). */
#pragma once

#include "analyze/diff/diff_options.h"

/* Runs, compares, prints, and returns the exit status. A program that cannot be started, or that
 * ends with another status than 0, ends it with a line and status 2. */
int trial_run(const struct diff_options *options);
