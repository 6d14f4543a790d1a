/* SPDX-License-Identifier: MIT */
/* The accumulator of MPI to and from the tables of a merged run (tables/merged.def).
 *
 * A merged run gives the same figures as its profiles would, whichever files they were merged into:
 * sums are of integers, means and squares agree but for the last digits, and of equal ranks the
 * lowest is named. The order matters only if a bound was reached (pairs, occurrences, bins), and
 * between hosts, whose clocks are compared by the first process of each. Context: pure. */
#pragma once

#include "analyze/model/mpi/mpi_accumulator.h"
#include "analyze/tables/merged_input.h"

void mpi_accumulator_write(const struct mpi_accumulator *accumulator, struct merged_writer *writer);
/* has_mpi: from the file's table `run`. */
void mpi_accumulator_read(struct mpi_accumulator *accumulator, const struct merged_input *input,
			  bool has_mpi);
bool mpi_accumulator_is_used(const struct mpi_accumulator *accumulator);
