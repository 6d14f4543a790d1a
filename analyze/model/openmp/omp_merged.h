/* SPDX-License-Identifier: MIT */
/* The account of OpenMP to and from the tables of a merged run (tables/merged.def).
 *
 * A merged run gives the same figures as its profiles would: they are sums of integers, and of
 * equals the first of the run is named. Only if a region has more members than are kept
 * (OMP_MEMBERS_MAX) does the order of files decide which have a row. Context: pure. */
#pragma once

#include "analyze/model/openmp/omp_account.h"
#include "analyze/tables/merged.h"

void omp_account_write(const struct omp_account *account, struct merged_writer *writer);
void omp_account_read(struct omp_account *account, const struct merged_input *input);
