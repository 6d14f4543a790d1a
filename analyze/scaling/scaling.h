/* SPDX-License-Identifier: MIT */
/* ptrace-diff --scaling: how a program behaves as it gets more threads or ranks. */
#pragma once

#include "analyze/diff/diff_options.h"

/* Reads the runs, prints, and returns the exit status. */
int scaling_run(const struct diff_options *options);
