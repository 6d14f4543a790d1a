/* SPDX-License-Identifier: MIT */
/* The rule on busy waiting: loops of the program that do nothing but read memory until another
 * thread changes it. The machine code proves it (symbols/spin_loop.h); a loop that does work is
 * never reported. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

/* CPU time in such loops. */
double finding_busy_ns(const struct run *run);
double judge_busy_wait(const struct run *run, struct finding *finding);
