/* SPDX-License-Identifier: MIT */
/* The intervals of the last minute, added up: a fixed number of them, so that memory is constant.
 * Context: pure. */
#pragma once

#include "analyze/live/live_frame.h"

#define LIVE_MINUTE_NS UINT64_C(60000000000)

struct live_minute;

struct live_minute *live_minute_create(void);
void live_minute_destroy(struct live_minute *minute);
/* Takes in the interval of a frame, and sets what the frame says of the last minute. */
void live_minute_add(struct live_minute *minute, struct live_frame *frame);
