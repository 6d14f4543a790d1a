/* SPDX-License-Identifier: MIT */
/* Makes the model of a run. Context: reads the profiles, one at a time. */
#pragma once

#include "analyze/model/run/run.h"

/* wants: enum run_wants, or'ed. */
struct run *run_create(struct run_files *files, struct symbolizer *symbolizer, unsigned wants);
