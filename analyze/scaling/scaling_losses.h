/* SPDX-License-Identifier: MIT */
/* What the processor time was lost to: costs of all runs, matched by cause. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* Fills in the causes; points and runs are there. */
void scaling_add_losses(struct scaling *scaling);
