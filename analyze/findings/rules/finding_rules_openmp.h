/* SPDX-License-Identifier: MIT */
/* Rules of finding_rules.c that look at OpenMP. NAN: does not apply. Severities are shares of the
 * processors' time (processors x elapsed) that threads of teams lost, spinning included, but for
 * teams that are larger than the number of processors, where it is the share of the time in which
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

/* Regions tell who worked alone, and how unevenly: better than the threads as such can. */
bool is_told_by_openmp(const struct run *run);
bool is_omp_oversubscribed(const struct run *run);
