/* SPDX-License-Identifier: MIT */
/* What the processor time was lost to: costs of all runs, matched by cause. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* Fills in the causes; points and runs are there. */
void scaling_add_losses(struct scaling *scaling);

/* Which causes have a row of their own: the rest, and those with the largest change at the last
 * point, up or down; top: how many, 0: all. Released by the caller; left_out: how many have none.
 */
bool *scaling_choose_causes(const struct scaling *scaling, size_t top, size_t *left_out);
