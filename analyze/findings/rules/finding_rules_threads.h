/* SPDX-License-Identifier: MIT */
/* Rules on how many threads run at once, and how evenly. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"
#include "analyze/model/time/imbalance.h"

struct run;

double judge_too_few_threads(const struct run *run, struct finding *finding);
double judge_sequential(const struct run *run, struct finding *finding);
double judge_imbalance(const struct run *run, struct finding *finding);
/* How long this thread was alone in routines that only it runs; 0: they are another thread's. */
double finding_alone_part_ns(const struct run *run, uint64_t tid);
double judge_oversubscription(const struct run *run, struct finding *finding);
double judge_false_parallelism(const struct run *run, struct finding *finding);
