/* SPDX-License-Identifier: MIT */
/* The rules on what hardware counted: routines that wait for memory, that read what other cores
 * have modified, and that are slower while other threads run. Without the events there is nothing
 * to judge. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_memory(const struct run *run, struct finding *finding);
double judge_shared_lines(const struct run *run, struct finding *finding);
double judge_company(const struct run *run, struct finding *finding);
