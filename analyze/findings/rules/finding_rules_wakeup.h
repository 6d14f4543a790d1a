/* SPDX-License-Identifier: MIT */
/* The rule on threads that are woken for nothing: each time some kernel calls, two switches and the
 * mutex once more. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_wake_ups(const struct run *run, struct finding *finding);
