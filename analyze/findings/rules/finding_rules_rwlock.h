/* SPDX-License-Identifier: MIT */
/* The rule on writers of a read-write lock that wait while readers come and go: the lock's default
 * is that a reader gets it whenever another one has it. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_starved_writer(const struct run *run, struct finding *finding);
