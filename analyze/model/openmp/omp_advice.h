/* SPDX-License-Identifier: MIT */
/* What to change in an OpenMP region: the one problem that costs most of what is lost there. The
 * rules are a table in omp_advice.c, with their thresholds and reasons. Context: pure. */
#pragma once

#include <stdbool.h>

struct omp_region;

/* NULL: nothing is above its threshold. */
const char *omp_advice_for(const struct omp_region *region);

/* Thread time that a region loses by one problem; 0: it does not have it. */
double omp_lost_by_imbalance(const struct omp_region *region);
/* Are the shares of its members given before, as in a static loop: pieces of loops, sections, and
 * tasks go to whom is free. Not if its executions are short. */
bool omp_has_given_shares(const struct omp_region *region);
double omp_lost_in_forks(const struct omp_region *region);
double omp_lost_in_scheduling(const struct omp_region *region);
double omp_lost_in_small_tasks(const struct omp_region *region);
/* Number of tasks that were executed, if they are small; else 0. */
double omp_small_tasks(const struct omp_region *region);
/* Number of pieces of loops in teams of several members, if they are small; else 0. */
double omp_small_pieces(const struct omp_region *region);
