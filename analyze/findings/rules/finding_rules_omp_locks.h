/* SPDX-License-Identifier: MIT */
/* The rule on OpenMP's locks: critical, omp_set_lock, ordered, atomic of large types. Waiting for
 * them is lost, and the price of entering them where they are entered very often. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_omp_locks(const struct run *run, struct finding *finding);
