/* SPDX-License-Identifier: MIT */
/* How the ranks of one job, on one host or several, agree on the same new run directory with
 * nothing but the working directory in common.
 *
 * A rank that finds a directory of the job joins it. Otherwise it takes a lock that only ranks of
 * this job ask for, looks again, and creates the directory. The lock is held for the time of a few
 * system calls. A lock that stays the same for 5 s belongs to a rank that was killed: a rank that
 * sees it removes it and tries again. (In the microseconds between seeing and removing it, another
 * rank may have done so and taken a lock of its own: then the job would have two directories.) */
#pragma once

#include "launcher.h"

#include <stdbool.h>
#include <stddef.h>

/* The run directory of the job below the working directory. */
bool run_agree_find(const struct launcher_job *job, char *name, size_t size);

/* Waits until there is a directory (true: its name is in name), or until this rank has the lock
 * (*lock is its name): then the caller creates the directory and unlocks. If false with *lock "",
 * neither happened within 5 s, or errno says what prevents it. */
bool run_agree(const struct launcher_job *job, char *name, size_t size, char lock[64]);
void run_agree_unlock(const char *lock);
