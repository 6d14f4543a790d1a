/* SPDX-License-Identifier: MIT */
/* Whether instants of processes can be compared. Each profile has those of its process's
 * CLOCK_MONOTONIC, and the time of day at its start. Clocks of two hosts differ, and on one host
 * those of two time namespaces (unshare -T, checkpoint and restore), or of a program that is shown
 * a faked clock. The time of day is the same for all of them. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;

/* Time of day - CLOCK_MONOTONIC. */
int64_t process_clock_offset_ns(const struct process *process);
/* Are two of these offsets, of one host, those of one clock? */
bool process_clock_is_one(int64_t offset_ns, int64_t other_ns);
/* Does the clock of any process differ from that of the first, on whatever host? */
bool process_clocks_are_several(const struct process *processes, size_t count);
/* The most by which clocks of one host differ from that of the first process there; 0: they do not.
 */
int64_t process_clocks_apart_ns(const struct process *processes, size_t count);
