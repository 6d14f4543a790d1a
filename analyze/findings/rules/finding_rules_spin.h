/* SPDX-License-Identifier: MIT */
/* The rule on threads that spin, waiting on a processor. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

#include <stdbool.h>
#include <stdint.h>

struct routine_time;
struct run;

/* Is it sched_yield? */
bool finding_is_yield(const struct run *run, const struct routine_time *row);
/* CPU time of samples in sched_yield itself: a lower bound for the loop around it. Adds the calls
 * to *count. */
double finding_yield_ns(const struct run *run, uint64_t *count);
double judge_spin(const struct run *run, struct finding *finding);
