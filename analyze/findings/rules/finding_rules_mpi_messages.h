/* SPDX-License-Identifier: MIT */
/* The rule on messages that come late: how long ranks wait for them, where they receive, and where
 * messages are sent.
 *
 * A rank waits longer than its messages need because its peer sends late. If the peer has more
 * work in all, or had no processor, it does not send late: for as long as a rank was useful for
 * less than the longest one was or wanted to be, it would have waited for something anyway. Of that
 * rank-imbalance and oversubscription tell.
 *
 * NAN: does not apply. Context: pure but for names. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

double judge_late_sender(const struct run *run, struct finding *finding);
