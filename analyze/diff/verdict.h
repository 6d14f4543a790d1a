/* SPDX-License-Identifier: MIT */
/* The verdict on a change, by the rules that change.h states, and which changes decide the status.
 *
 * Hundreds of figures are compared at once, and each rule is met by chance now and then, so only a
 * few decide. Elapsed time does; CPU time does unless elapsed time has changed the other way. A
 * routine that changed by more than twice its noise does if elapsed time has changed in the same
 * direction by at least the threshold and half of the effect, and the rank test rejects, although
 * the change is within the noise of elapsed time; or, if other programs leave elapsed time
 * undecided, if CPU time has changed like this. A routine that got a new name changes nothing, nor
 * does time that moved from one lock to another; waits by themselves vary too much from run to run.
 * Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* Sets the smallest spread that is believed, of all changes. */
void verdict_spread(struct changes *changes);
/* Sets everything that is computed from both sides. */
void verdict_judge(struct change *change, const struct changes *changes);
/* Sets `decides`, once all are judged. */
void verdict_decide(struct changes *changes);
const char *verdict_text(enum verdict verdict);
