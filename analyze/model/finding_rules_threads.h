/* SPDX-License-Identifier: MIT */
/* Rules on how many threads run at once, and how evenly. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/model/finding.h"

double judge_too_few_threads(const struct run *run, struct finding *finding);
double judge_sequential(const struct run *run, struct finding *finding);
double judge_imbalance(const struct run *run, struct finding *finding);
double judge_oversubscription(const struct run *run, struct finding *finding);
double judge_false_parallelism(const struct run *run, struct finding *finding);
