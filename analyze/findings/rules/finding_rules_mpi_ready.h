/* SPDX-License-Identifier: MIT */
/* The rule of finding_rules.def about more ranks than processors. NAN: does not apply. The severity
 * is the share of the time in which threads wanted to run and could not. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_rank_oversubscription(const struct run *run, struct finding *finding);
