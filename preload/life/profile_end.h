/* SPDX-License-Identifier: MIT */
/* The profile's last figures, and how the process ended.
 *
 * header: of the process's own profile, read before the caller checked that it is: a signal handler
 * may fork meanwhile, and its child goes on with the memory that replaced the file (store_forget).
 * Context: any thread, signal handlers that end the process. */
#pragma once

#include "preload/file/format.h"

/* Updates everything and writes how the process ended. If several threads call it at once, one does
 * it and the others return. FORMAT_STATE_RUNNING: the figures end, the process does not. Never
 * changes errno. */
void profile_end_write(struct format_header *header, enum format_state state, int status);

/* Writes only how the process ended; its figures ended before. No system call, no clock. */
void profile_end_set_state(struct format_header *header, enum format_state state, int status);

/* The profile goes on after all. */
void profile_end_take_back(struct format_header *header);

/* Fork child: no other thread is writing here. */
void profile_end_reset(void);
