/* SPDX-License-Identifier: MIT */
/* The rule on CPython's global interpreter lock: the thread that runs Python code holds it, and the
 * others wait for its condition variable. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

struct sync_row;

double judge_gil(const struct run *run, struct finding *finding);

/* Is it a wait for the lock? */
bool finding_is_gil(const struct run *run, const struct sync_row *row);
