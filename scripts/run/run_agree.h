/* SPDX-License-Identifier: MIT */
/* How the ranks of one job, on one host or several, come to the same new run directory with nothing
 * but the working directory between them.
 *
 * Who finds a directory of the job joins it. Who does not, takes a lock that only ranks of this job
 * ask for, looks again, and makes the directory. The lock is held for the time of a few system
 * calls. One that stays the same for 5 s is of a rank that was killed: who sees it removes it and
 * asks again. (Between seeing and removing, microseconds, another rank may have done so and taken a
 * lock of its own: then the job would have two directories.) */
#pragma once

#include "launcher.h"

#include <stdbool.h>
#include <stddef.h>

/* The run directory of the job below the working directory. */
bool run_agree_find(const struct launcher_job *job, char *name, size_t size);

/* Waits until there is a directory (true: its name is in name), or until the lock is ours (*lock is
 * its name): then the caller makes the directory and unlocks. Both false and *lock "": it is
 * neither within 5 s, or errno says what forbids. */
bool run_agree(const struct launcher_job *job, char *name, size_t size, char lock[64]);
void run_agree_unlock(const char *lock);
