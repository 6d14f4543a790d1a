/* SPDX-License-Identifier: MIT */
/* Rules on threads that wait for each other: locks, barriers, conditions. NAN: does not apply.
 * Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_locks(const struct run *run, struct finding *finding);
double judge_barriers(const struct run *run, struct finding *finding);
double judge_conditions(const struct run *run, struct finding *finding);
