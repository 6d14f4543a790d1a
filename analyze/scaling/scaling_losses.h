/* SPDX-License-Identifier: MIT */
/* To what the processor time was lost: costs of all runs, matched by cause. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* Sets the causes; points and runs must be there. */
void scaling_add_losses(struct scaling *scaling);

/* Which causes have a row of their own: the rest, and those with the largest change at the last
 * point, up or down; top: how many, 0: all. Released by the caller; left_out: number of causes
 * without a row. */
bool *scaling_choose_causes(const struct scaling *scaling, size_t top, size_t *left_out);
