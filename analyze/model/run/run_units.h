/* SPDX-License-Identifier: MIT */
/* Units of work that a user names (--per): how often a run did what its users want of it, and what
 * one of them cost.
 *
 *   CALL@ROUTINE  calls of input and output ("read", "send", as section io names them) or of MPI
 *                 ("MPI_Send") that the routine made; those that failed as well
 *   ROUTINE       calls of an instrumented routine (section calls)
 *
 * Counts are exact. What one cost is the CPU time of the whole run, and the time for which its
 * threads were blocked for locks, divided by the number: what the run does besides is contained in
 * it. Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/model/run/run.h"

/* The number is in run->units. NULL, or why there is none: which words could have been meant; to be
 * released by the caller. per: kept. */
char *run_count_units(struct run *run, const char *per);

double run_units_per_second(const struct run *run);
/* Of one. */
double run_units_cpu_ns(const struct run *run);
double run_units_locks_ns(const struct run *run);
