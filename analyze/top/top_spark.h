/* SPDX-License-Identifier: MIT */
/* A line of small bars: how something went in the last minute. Context: pure. */
#pragma once

#include "analyze/live/live_trail.h"

#include <stdbool.h>

/* cells: percent, or LIVE_CELL_UNKNOWN, for which there is a blank, as for nothing at all in ASCII.
 * shown: LIVE_CELLS, or a part by which that can be divided: the mean of those that are known.
 * Released by the caller; "" if nothing is known. */
char *top_spark(const uint8_t cells[LIVE_CELLS], unsigned shown, bool is_utf8);
