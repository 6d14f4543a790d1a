/* SPDX-License-Identifier: MIT */
/* Which changes decide the exit status.
 *
 * Hundreds of figures are compared at once, and each rule is met by chance now and then, so only a
 * few decide. Elapsed time does; CPU time does unless elapsed time has changed the other way. A
 * routine that changed by more than twice its noise does if elapsed time has changed in the same
 * direction by at least the threshold and half of the effect, and the rank test rejects, although
 * the change is within the noise of elapsed time; or, if other programs leave elapsed time
 * undecided, if CPU time has changed like this. Where CPU time counts by itself, and elapsed time
 * does not the other way, a routine that counts decides as well. A routine that got a new name
 * changes nothing, nor does time that moved from one lock to another; waits by themselves vary too
 * much from run to run. Evidence (evidence.h) decides where neither time of the run says otherwise.
 * metrics.h has the set of which all these are. Context: pure. */
#pragma once

#include "analyze/diff/change.h"
#include "analyze/diff/metrics.h"

/* Sets `decides` of all, once they are judged and their evidence is found. */
void decide_all(struct changes *changes);
/* The metric that was asked for, of which the change is the figure, whether it has changed or not:
 * of those that decide by themselves. METRIC_LIMIT: none. */
enum metric decide_metric_alone(const struct changes *changes, const struct change *change);
/* By which of them one that decides does so. */
enum metric decide_metric(const struct changes *changes, const struct change *change);
