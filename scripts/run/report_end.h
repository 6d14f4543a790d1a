/* SPDX-License-Identifier: MIT */
/* What a person sees when the program has ended: one line, or the report, from ptrace-report, on
 * standard error. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Standard input and output of the program stay untouched; the report runs with the given signal
 * mask, so that it can be interrupted while ptrace-run cannot. When ptrace-report cannot be
 * started, says where the run is. */
void report_end_print(const char *directory, bool is_whole_report, const sigset_t *mask);
