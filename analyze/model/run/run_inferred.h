/* SPDX-License-Identifier: MIT */
/* A note on the routines that left no frame on the stack, and are in call paths all the same
 * (symbols/tail_calls.h). Context: after all names have been looked up. */
#pragma once

#include "analyze/model/run/run.h"

void run_note_inferred(struct run *run);
