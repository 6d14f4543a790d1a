/* SPDX-License-Identifier: MIT */
/* Rules on threads that may not run on all processors. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_bound_threads(const struct run *run, struct finding *finding);
double judge_bound_run(const struct run *run, struct finding *finding);
