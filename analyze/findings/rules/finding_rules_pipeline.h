/* SPDX-License-Identifier: MIT */
/* The rule on processes that pass work to each other: one of them has a processor for nearly all
 * its life, and sets the pace of the others. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct process;
struct run;

/* The routine with most of the CPU time of a process, of those that it has nearly alone. */
void finding_add_routine_of(struct finding *finding, const struct run *run,
			    const struct process *process);

double judge_pipeline(const struct run *run, struct finding *finding);

/* The part of the thread time blocked for these causes (1 << enum cause, or'ed) in which other
 * processes wait for the one that sets the pace. */
double finding_pipeline_blocked_ns(const struct run *run, unsigned causes);
