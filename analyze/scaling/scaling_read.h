/* SPDX-License-Identifier: MIT */
/* Reads the runs to be compared, one after the other.
 *
 * An argument is a run as ptrace-report takes it, or N=RUN: then the scale of the run is N,
 * whatever its threads and ranks. Ends the program with a line and status 2 if a run cannot be
 * read, if the runs are of different programs, or if all have the same scale. Context: reads
 * files. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* symbols: NULL, or a directory with programs and debug files. per: the units of work (run_units.h)
 * that are compared in place of requests; NULL: none. */
struct scaling scaling_read(char *const *arguments, size_t count, const char *symbols, bool is_weak,
			    const char *per);
