/* SPDX-License-Identifier: MIT */
/* Rules on granularity: pieces of work so small that their overhead counts; and on samples so few
 * that figures are weak. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_short_threads(const struct run *run, struct finding *finding);
double judge_fine_locks(const struct run *run, struct finding *finding);
double judge_few_samples(const struct run *run, struct finding *finding);

/* Elapsed time in which short-lived threads are started and joined. */
double finding_short_threads_ns(const struct run *run);
