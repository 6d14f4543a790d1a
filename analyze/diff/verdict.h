/* SPDX-License-Identifier: MIT */
/* The verdict on a change, by the rules that change.h states; decide.h has which of them decide.
 * Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* Sets the smallest spread that is believed, of all changes. */
void verdict_spread(struct changes *changes);
/* Sets everything that is computed from both sides. */
void verdict_judge(struct change *change, const struct changes *changes);
/* The noise of change.h, with limits `times` as large. */
double verdict_noise(const struct change *change, double times);
/* With several runs: does the rank test reject, or come as close to that as so few runs can? */
bool verdict_is_told_by_ranks(const struct change *change);
const char *verdict_text(enum verdict verdict);
