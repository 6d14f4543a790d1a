/* SPDX-License-Identifier: MIT */
/* The profile's last figures, and how the process ended.
 *
 * header: of the process's own profile, and taken before it was asked whether it is: a signal
 * handler may fork meanwhile, and its child goes on with what took the file's place (store_forget).
 * Context: any thread, signal handlers that end the process. */
#pragma once

#include "preload/file/format.h"

/* Brings everything up to date and writes how it ended. Of several threads that come at once one
 * does it, and the others go on. FORMAT_STATE_RUNNING: the figures end, the process does not.
 * Never changes errno. */
void profile_end_write(struct format_header *header, enum format_state state, int status);

/* Only how the process ended: its figures have ended before. No system call, no clock. */
void profile_end_set_state(struct format_header *header, enum format_state state, int status);

/* It was not the end after all. */
void profile_end_take_back(struct format_header *header);

/* Fork child: what another thread of the parent was writing is not under way here. */
void profile_end_reset(void);
