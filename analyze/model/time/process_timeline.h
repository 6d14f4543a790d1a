/* SPDX-License-Identifier: MIT */
/* The thread time of one process over time, on its host's CLOCK_MONOTONIC, in agreement with its
 * T_i: the sum of the bins is sum(i T_i), on a processor and useful.
 *
 * The bins of a profile (its table timeline) are what records saw and, where there were none, the
 * threads in no wait, which may have been ready or in a wait that nobody knows: they hold up to
 * three times the CPU time. So they are scaled, to no more threads than there are processors. The
 * single thread of a process without bins is taken to have run at its mean rate throughout its
 * life. Context: pure. */
#pragma once

#include "analyze/model/time/time_bins.h"

struct process;
struct profile;

struct time_bins process_timeline_of(const struct profile *profile, const struct process *process);
