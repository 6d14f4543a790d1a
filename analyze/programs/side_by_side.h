/* SPDX-License-Identifier: MIT */
/* ptrace-report of several runs: their source lines side by side. */
#pragma once

#include "analyze/report/report_options.h"

struct report;

/* Reads the runs that the options name and prints them. like: the report without a run. Returns the
 * exit status of the program. */
int side_by_side_print(const struct report_options *options, const struct report *like);
