/* SPDX-License-Identifier: MIT */
/* Which run is meant when the user names none. */
#pragma once

#include <stdbool.h>

/* Does the directory hold run.json, a profile or a merged run? */
bool run_find_is(const char *directory);

enum { RUN_FIND_LEVELS = 3, RUN_FIND_DIRECTORIES_MAX = 1000 };

/* The newest directory with a run.json of this tool, at most so many levels below the current one;
 * a directory *.ptrace.* of the current one also counts with a profile or a merged run alone.
 * Without any, the current directory if it is a run itself. New is what had a file added last.
 * Those next to the current one are looked into first, at most so many, in the order of names. Left
 * out are hidden ones, those behind links (but for *.ptrace.*), and, deeper than the first level,
 * those of other users. Released by the caller; NULL if there is none. */
char *run_find_newest(void);
