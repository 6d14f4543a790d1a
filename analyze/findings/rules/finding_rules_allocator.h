/* SPDX-License-Identifier: MIT */
/* The rule on the lock of malloc. The C library takes its low-level locks inline, so that no
 * wrapper sees them: a wait is a sample in their routines below malloc or free, and time in which
 * the thread was blocked without a cause. Needs the tree of call paths (RUN_PATHS); without it
 * nothing is found. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_allocator(const struct run *run, struct finding *finding);

/* Thread time, of what is blocked without a cause, that the allocator's lock explains; an estimate.
 */
double finding_allocator_blocked_ns(const struct run *run);
