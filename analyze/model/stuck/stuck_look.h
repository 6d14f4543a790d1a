/* SPDX-License-Identifier: MIT */
/* The second reading of processes that live: which waits have ended since the first one, and who
 * holds the locks now. Context: reads profiles, /proc and the memory of processes (process_look.h).
 */
#pragma once

#include "analyze/model/stuck/stuck_wait.h"

/* Waits for 0.2 s, and reads again: sets has_moved, used_ns. */
void stuck_look_again(struct stuck *stuck);
/* Reads locks, and which pipe a call is on whose descriptor was not looked up yet: sets holder,
 * readers, source, inode. */
void stuck_look_at_objects(struct stuck *stuck);
