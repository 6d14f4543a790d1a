/* SPDX-License-Identifier: MIT */
/* A figure in the first line. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* 1: the run is worse, -1: it is better only, 0: nothing decides. */
int headline_direction(const struct changes *changes);
/* "elapsed time 1.21 s -> 1.93 s (+60 %)"; with_verdict: also what would have been needed, if the
 * change is not believed, or if a change of the threshold could not have been seen. Released by the
 * caller. */
char *headline_figure(const char *name, const struct change *change, bool with_verdict);
