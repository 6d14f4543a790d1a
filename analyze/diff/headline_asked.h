/* SPDX-License-Identifier: MIT */
/* What was asked for by --metric, in the first line, where that is not elapsed time. Context: pure.
 */
#pragma once

#include "analyze/diff/change.h"

/* Is elapsed time asked for, or is it CPU time that decides? */
bool headline_is_of_times(const struct changes *changes);
/* Of a comparison in which nothing decides: "requests a second 7399 -> 7411 (+0.2 %)", of each
 * metric that was asked for. Released by the caller. */
char *headline_asked(const struct changes *changes);
