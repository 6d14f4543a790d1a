/* SPDX-License-Identifier: MIT */
/* When a series of runs, taken in turn, may end (ptrace-diff --run N).
 *
 * Each look at the runs so far may err, so there are few: at 3, 5, 8, 12, 18, ... pairs, half as
 * many again each time, and at the last. A look before the last ends the series if
 *
 *   something is worse, or better, and the time that decides has changed by SEQUENCE_CERTAINTY
 *   times its noise (that of a routine by twice its noise), or evidence decides (evidence.h asks
 *   for as much itself); or
 *   nothing decides, and each time that is asked for has changed by less than the threshold, and
 *   would have shown a change of the threshold.
 *
 * The rate of false alarms is at most the sum of those of the looks (Bonferroni's inequality), of
 * which all but the last ask for more than a comparison without looks does; docs/diff.md has the
 * rates, which a simulation measures. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

#define SEQUENCE_PAIRS_MIN 3
#define SEQUENCE_CERTAINTY 1.5

/* Are the runs looked at after so many pairs? most: of the series. */
bool sequence_is_look(size_t pairs, size_t most);
/* Is the verdict certain before the last look? */
bool sequence_is_certain(const struct changes *changes);
