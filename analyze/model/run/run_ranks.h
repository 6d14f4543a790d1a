/* SPDX-License-Identifier: MIT */
/* How many ranks of a run, and threads of theirs that execute the program, were there at the same
 * time: jobs may follow one another. A rank counts from its process's beginning to its end.
 * Context: pure. */
#pragma once

#include "analyze/model/run/run.h"

struct mpi_at_once run_ranks_at_once(const struct run *run);
