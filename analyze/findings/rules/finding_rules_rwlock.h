/* SPDX-License-Identifier: MIT */
/* The rule on writers that wait for a read-write lock while readers come and go: by default a
 * reader gets the lock whenever another reader holds it. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_starved_writer(const struct run *run, struct finding *finding);
