/* SPDX-License-Identifier: MIT */
/* What a reader must know before believing a comparison. Context: pure. */
#pragma once

#include "analyze/scaling/scaling_model.h"

/* Sets the notes; points and runs must be there. */
void scaling_add_notes(struct scaling *scaling);
