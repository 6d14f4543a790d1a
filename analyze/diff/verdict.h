/* SPDX-License-Identifier: MIT */
/* What is said of a change, by the rules that change.h states, and which changes decide the status.
 *
 * Hundreds of figures are compared at once, and each rule alone is met by chance now and then: so
 * few may decide. Elapsed time does; CPU time where elapsed time has not changed the other way; a
 * routine beyond twice its noise, where elapsed time has changed the same way by the threshold and
 * at least half of the effect, and the rank test says so, though it is within its own noise; or,
 * where other programs leave elapsed time undecided, where CPU time has so changed. A routine that
 * got a new name changes nothing, nor does time that moved from one lock to another; waits by
 * themselves vary too much from run to run. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* Fills in the least spread that is believed, of all. */
void verdict_spread(struct changes *changes);
/* Fills in all that follows from both sides. */
void verdict_judge(struct change *change, const struct changes *changes);
/* Fills in `decides`, once all are judged. */
void verdict_decide(struct changes *changes);
const char *verdict_text(enum verdict verdict);
