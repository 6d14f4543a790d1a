/* SPDX-License-Identifier: MIT */
/* Rules on input and output: waiting for it, and too many calls for what they transfer. NAN: does
 * not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_small_io(const struct run *run, struct finding *finding);
double judge_io(const struct run *run, struct finding *finding);
