/* SPDX-License-Identifier: MIT */
/* What a user sees when the program has ended: one line, or the report, from ptrace-report, on
 * standard error. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Standard input and output of the program are not used; the report runs with the given signal
 * mask, so that it can be interrupted while ptrace-run cannot. If ptrace-report cannot be started,
 * prints where the run is. */
void report_end_print(const char *directory, bool is_whole_report, const sigset_t *mask);

/* Starts a report on what is stuck, which prints nothing if nothing is. Returns its pid, for the
 * caller to wait for; 0 if it cannot be started. */
pid_t report_end_start_stuck(const char *directory, const sigset_t *mask);
