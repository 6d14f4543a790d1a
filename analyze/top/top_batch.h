/* SPDX-License-Identifier: MIT */
/* Frames as plain text, one after the other: for files, pipes, and terminals without control.
 * Context: main thread; waits between frames. */
#pragma once

#include "analyze/live/live.h"
#include "analyze/top/top_options.h"

/* Until so many frames were printed, the run is over, or nobody reads any more. */
void top_batch_run(struct live *live, const struct top_options *options);
/* The instant of the next frame is an interval after `from` (CLOCK_MONOTONIC). */
void top_batch_sleep(uint64_t interval_ns);
