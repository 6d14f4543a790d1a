/* SPDX-License-Identifier: MIT */
/* Reads the runs that are to be compared, one after the other.
 *
 * An argument is a run as ptrace-report takes it, or N=RUN: the scale of the run is N, whatever its
 * threads and ranks. Ends the program with a line and status 2 if a run cannot be read, if they are
 * of different programs, or all of one scale. Context: reads files. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* symbols: NULL, or a directory with programs and debug files. */
struct scaling scaling_read(char *const *arguments, size_t count, const char *symbols,
			    bool is_weak);
