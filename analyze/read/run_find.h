/* SPDX-License-Identifier: MIT */
/* Which run is meant when none is named. */
#pragma once

/* The newest directory *.ptrace.* below the current one that holds run.json or a profile, or the
 * current directory if it is one itself; released by the caller, NULL if there is none. */
char *run_find_newest(void);
