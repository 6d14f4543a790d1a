/* SPDX-License-Identifier: MIT */
/* Several runs of one program as measurements for Extra-P, in its text format (its manual, "Text
 * file format"): one parameter p, a point for each p, repeated runs as several values of one DATA
 * line.
 *
 * METRIC elapsed has the one region "run->PROGRAM"; METRIC time, in seconds of all threads
 * together, has a region for each cause that scaling_costs.h knows: "run->routine->insert (words)".
 * A cause that a run does not have took no time there: 0. Context: pure but for `out`. */
#pragma once

#include "analyze/scaling/scaling_model.h"

#include <stdio.h>

void extrap_print(FILE *out, const struct scaling *scaling);
