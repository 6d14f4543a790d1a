/* SPDX-License-Identifier: MIT */
/* The rule on threads that are woken for nothing: each time that costs a few system calls, two
 * context switches, and taking the mutex once more. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_wake_ups(const struct run *run, struct finding *finding);
