/* SPDX-License-Identifier: MIT */
/* Rules on threads that do not wait for other threads: sleeps, input and output. NAN: does not
 * apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_sleep(const struct run *run, struct finding *finding);
double judge_blocked(const struct run *run, struct finding *finding);
double judge_stopped(const struct run *run, struct finding *finding);
