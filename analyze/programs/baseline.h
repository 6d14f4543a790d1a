/* SPDX-License-Identifier: MIT */
/* ptrace-diff --baseline DIR: the newest runs of a directory of runs are side A. */
#pragma once

#include "analyze/diff/diff_options.h"

/* Puts them into the options, the oldest first. Ends the program with a line and status 2 if there
 * is none. The paths live as long as the program. */
void baseline_find(struct diff_options *options);
