/* SPDX-License-Identifier: MIT */
/* The rule on processes that hand work to each other: one of them has a processor all its life, and
 * sets the pace of the others. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_pipeline(const struct run *run, struct finding *finding);

/* Thread time, of what is blocked without a cause, in which others wait for the process that sets
 * the pace. */
double finding_pipeline_blocked_ns(const struct run *run);
