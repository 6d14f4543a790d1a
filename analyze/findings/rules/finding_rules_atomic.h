/* SPDX-License-Identifier: MIT */
/* The rules on what samples at atomic instructions tell: counters that threads share, and locks
 * that the C library takes in its own calls. Both need the tree of call paths (RUN_PATHS) and the
 * machine code; without these nothing is found. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_atomics(const struct run *run, struct finding *finding);
double judge_libc_locks(const struct run *run, struct finding *finding);
