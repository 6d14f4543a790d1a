/* SPDX-License-Identifier: MIT */
/* The rule on two pools of threads, of which one spins while the other one works. NAN: it does not
 * apply. Context: pure but for names. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_spinning_pools(const struct run *run, struct finding *finding);
