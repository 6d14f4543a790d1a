/* SPDX-License-Identifier: MIT */
/* The rule on the lock of malloc. The C library takes its low-level locks inline, so that no
 * wrapper sees them: a wait shows as samples in their routines below malloc or free, and as time in
 * which the thread was blocked for no known cause. Needs the tree of call paths (RUN_PATHS);
 * without it nothing is found. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_allocator(const struct run *run, struct finding *finding);

/* The part of the thread time blocked for no known cause that the allocator's lock explains; an
 * estimate. */
double finding_allocator_blocked_ns(const struct run *run);
