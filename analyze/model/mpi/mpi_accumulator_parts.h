/* SPDX-License-Identifier: MIT */
/* The internals of the accumulator of MPI, for the accumulator itself and for the code that writes
 * it to merged runs and reads it back. */
#pragma once

#include "analyze/model/mpi/mpi_accumulator.h"

struct mpi_accumulator {
	struct names *names;
	bool is_used;
	struct mpi_ranks ranks;
	struct mpi_sites *sites;
	struct mpi_occurrences occurrences;
	struct mpi_pairs pairs;
	struct job_concurrency job;
	double unranked_ns; /* of processes that called MPI and never became ranks */
};
