/* SPDX-License-Identifier: MIT */
/* Watching a run: one frame after the other (live_frame.h).
 *
 * Memory is that of two readings of each process, and of the names of what was met. Context: reads
 * files and /proc; never stops, slows or changes the program, and prints nothing. Only
 * live_save writes files. */
#pragma once

#include "analyze/live/live_detail.h"
#include "analyze/live/live_frame.h"

struct live;

/* path: a run, a profile, the number of a process, NULL for the newest run. NULL with a reason that
 * the caller releases. is_waiting: the directory is there, a profile is not yet. */
struct live *live_open(const char *path, bool *is_waiting, char **problem);
void live_close(struct live *live);

/* rows: at most so many of each kind. Valid until the next call. */
const struct live_frame *live_read(struct live *live, size_t rows);

/* Reads one thread in full; released by the caller. Its samples are compared with those of the call
 * before, if that was of the same thread. */
struct live_detail *live_look_at(struct live *live, uint64_t pid, uint64_t tid);

/* Saves the run as it is now: live_save.h. */
char *live_save(struct live *live, char **problem);
