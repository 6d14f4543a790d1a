/* SPDX-License-Identifier: MIT */
/* Which run is meant when the user names none. */
#pragma once

/* The newest directory *.ptrace.* in the current one that holds run.json, a profile or a merged
 * run; without any, the current directory if it is one itself. Released by the caller; NULL if
 * there is none. */
char *run_find_newest(void);
