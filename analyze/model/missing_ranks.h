/* SPDX-License-Identifier: MIT */
/* Ranks that an MPI job should have, by the word of any of its ranks, and that no profile has.
 * Context: pure. */
#pragma once

#include "analyze/read/run_read.h"

/* "3, 7-12"; NULL if none is missing, or nothing was a rank; released by the caller. Sets the ranks
 * that the job should have. Of several jobs in a run, the largest counts. */
char *missing_ranks(const struct run_files *files, uint64_t *rank_count);
