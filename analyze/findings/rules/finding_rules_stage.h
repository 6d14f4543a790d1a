/* SPDX-License-Identifier: MIT */
/* The rule on pipelines of which one stage is slow: the others waited for it, as the waits at their
 * common pipes and sockets say (model/pipelines). Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_slow_stage(const struct run *run, struct finding *finding);

/* The part of the thread time blocked for these causes (1 << enum cause, or'ed) in which stages
 * wait for each other: no input and output of their own. */
double finding_stage_blocked_ns(const struct run *run, unsigned causes);
