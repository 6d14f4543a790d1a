/* SPDX-License-Identifier: MIT */
/* Rules on memory of the kernel's: asked for and given back again and again, and copied for
 * children. NAN: does not apply. Context: pure but for names. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_memory_maps(const struct run *run, struct finding *finding);
double judge_fork_copies(const struct run *run, struct finding *finding);
