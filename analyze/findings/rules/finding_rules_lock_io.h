/* SPDX-License-Identifier: MIT */
/* The rule on locks that are held during input and output. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_lock_io(const struct run *run, struct finding *finding);
