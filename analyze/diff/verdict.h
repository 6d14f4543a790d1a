/* SPDX-License-Identifier: MIT */
/* What is said of a change, by the rules that change.h states, and which changes decide the status.
 *
 * Hundreds of figures are compared at once, and each rule alone is met by chance now and then: so
 * few may decide. Elapsed time does; CPU time where elapsed time has not changed the other way; a
 * cause where elapsed time, though within its own noise, has changed the same way by at least half
 * of the effect: a routine that got a new name, or time that moved from one lock to another,
 * changes nothing. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* Fills in `believed` of all. */
void verdict_spread(struct changes *changes);
/* Fills in all that follows from both sides. */
void verdict_judge(struct change *change, const struct changes *changes);
/* Fills in `decides`, once all are judged. */
void verdict_decide(struct changes *changes);
const char *verdict_text(enum verdict verdict);
