/* SPDX-License-Identifier: MIT */
/* Ranks that an MPI job should have, as any of its ranks recorded, but that left no profile.
 * Context: pure. */
#pragma once

#include "analyze/model/mpi/mpi_jobs.h"

/* "3, 7-12"; NULL if none is missing; released by the caller. */
char *missing_ranks(const struct mpi_ranks *ranks, const struct mpi_job *job);
