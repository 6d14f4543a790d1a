/* SPDX-License-Identifier: MIT */
/* The rule on messages that come late: how long ranks wait for them, where they receive, and where
 * messages are sent.
 *
 * A rank waits longer than its messages need because its peer sends late. A peer that has more work
 * in total, or had no processor, does not send late: for as long as the waiting rank was useful for
 * less than the longest one was or wanted to be, it would have had to wait for something anyway.
 * rank-imbalance and oversubscription report that.
 *
 * NAN: does not apply. Context: pure but for names. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_late_sender(const struct run *run, struct finding *finding);
