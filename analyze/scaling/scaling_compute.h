/* SPDX-License-Identifier: MIT */
/* From runs at several scales to their comparison: points, laws, losses, where scaling ends, notes.
 * The formulas stand in scaling_model.h. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* Takes over the runs, two or more with different p. */
struct scaling scaling_of(struct scaling_run *runs, size_t count, bool is_weak);
