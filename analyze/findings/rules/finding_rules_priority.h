/* SPDX-License-Identifier: MIT */
/* The rule on threads of low priority that others wait for. NAN: does not apply. Context: pure but
 * for names. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_low_priority(const struct run *run, struct finding *finding);
