/* SPDX-License-Identifier: MIT */
/* The rule on ranks that come late to collective calls. A nanosecond for which a rank waits is
 * counted by one rule only: a rank that is late in a collective call because a message came late,
 * because it has more work than the others in total, or because it had no processor, is reported
 * for that. NAN: does not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_collectives(const struct run *run, struct finding *finding);
