/* SPDX-License-Identifier: MIT */
/* ptrace-report --list: which runs there are. */
#pragma once

#include "analyze/report/report.h"
#include "analyze/report/report_options.h"

/* Prints them and returns the exit status; ends the program with status 2 if there are none. A run
 * that cannot be read is a line of the list. */
int run_listing_print(const struct report_options *options, const struct report *like);
