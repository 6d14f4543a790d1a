/* SPDX-License-Identifier: MIT */
/* How the program really ended, and how long it was stopped, which only its parent knows: written
 * into the header of its last profile.
 *
 * Context: after the program was waited for. Only state, status, end_ns and the stops are changed,
 * and only in a file of ours. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* False: the child left no profile that began at or after start_ns (CLOCK_MONOTONIC). */
bool profile_end_record(int directory, pid_t child, uint64_t start_ns, int status);
