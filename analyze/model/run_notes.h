/* SPDX-License-Identifier: MIT */
/* What a reader of the report must know about what it does not show: in the order of weight.
 * Context: pure but for names. */
#pragma once

#include "analyze/model/run.h"

/* How processes ended, what could not be read, what the profiles say themselves, threads that still
 * waited. */
void run_notes_add_files(struct run *run);

/* Modules without symbols; to be called when all names have been looked up. */
void run_notes_add_names(struct run *run);
