/* SPDX-License-Identifier: MIT */
/* The rule on threads that spin, waiting on a processor. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_spin(const struct run *run, struct finding *finding);
