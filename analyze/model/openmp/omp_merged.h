/* SPDX-License-Identifier: MIT */
/* The accumulator of OpenMP to and from the tables of a merged run (tables/merged.def).
 *
 * A merged run gives the same figures as its profiles would: they are sums of integers, and of
 * equals the first of the run is named. Only if a region has more members than are kept
 * (OMP_MEMBERS_MAX) does the order of files decide which have a row. Context: pure. */
#pragma once

#include "analyze/model/openmp/omp_accumulator.h"
#include "analyze/tables/merged_input.h"

void omp_accumulator_write(const struct omp_accumulator *accumulator, struct merged_writer *writer);
void omp_accumulator_read(struct omp_accumulator *accumulator, struct merged_input *input);
