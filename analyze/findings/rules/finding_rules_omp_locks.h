/* SPDX-License-Identifier: MIT */
/* The rule on OpenMP's locks: critical, omp_set_lock, ordered, atomic of large types. The loss is
 * the waiting for them and, if they are entered very often, the cost of entering them. Context:
 * pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_omp_locks(const struct run *run, struct finding *finding);
