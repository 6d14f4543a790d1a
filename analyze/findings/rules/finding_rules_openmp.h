/* SPDX-License-Identifier: MIT */
/* Rules of finding_rules.def about OpenMP. NAN: does not apply. Severities are shares of the
 * processors' time (processors x elapsed) that threads of teams lost, spinning included, except for
 * teams that are larger than the number of processors: there it is the share of the time in which
 * threads wanted to run and could not. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

#include <stdbool.h>

struct run;

double judge_omp_imbalance(const struct run *run, struct finding *finding);
double judge_omp_serial(const struct run *run, struct finding *finding);
double judge_omp_short_regions(const struct run *run, struct finding *finding);
double judge_omp_small_pieces(const struct run *run, struct finding *finding);
double judge_omp_small_tasks(const struct run *run, struct finding *finding);
double judge_omp_spinning(const struct run *run, struct finding *finding);
double judge_omp_blocking(const struct run *run, struct finding *finding);
double judge_omp_oversubscription(const struct run *run, struct finding *finding);

/* Do regions tell who worked alone, and how unevenly? They do so better than the threads as
 * such. */
bool is_told_by_openmp(const struct run *run);
bool is_omp_oversubscribed(const struct run *run);
