/* SPDX-License-Identifier: MIT */
/* Which run a living process writes: its profile is mapped, so /proc/PID/maps names it, and the
 * directory of the profile is the run. Context: reads /proc; prints nothing, and touches the
 * process in no way. */
#pragma once

#include <stdbool.h>

/* Is the word the number of a process, and not the name of a file here? */
bool run_is_process(const char *word);

/* The profile of the process with that number (for a fork child that has recorded nothing yet: its
 * parent's). NULL, with a reason that the caller releases: there is no such process, it belongs to
 * another user, it is not profiled, or its profile is gone. */
char *run_profile_of_process(const char *number, char **problem);

/* The run's directory, for run_files_open. word: a directory or a profile, which stay as they are,
 * the number of a process, or NULL for the newest run below the current directory. Released by the
 * caller; NULL with a reason. */
char *run_find_named(const char *word, char **problem);
