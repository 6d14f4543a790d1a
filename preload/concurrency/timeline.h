/* SPDX-License-Identifier: MIT */
/* What the process did over time, in a bounded number of bins: when there would be too many, bins
 * fold in pairs (the time histograms of Paradyn: B. P. Miller et al., IEEE Computer 28(11), 1995).
 * Bins are aligned to CLOCK_MONOTONIC, so that those of all processes of a machine coincide.
 *
 * Context: whoever holds the drain (concurrency.c). */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

/* Thread time that passed between two instants, spread evenly over them. */
void timeline_add(enum timeline_metric metric, uint64_t from_ns, uint64_t to_ns, uint64_t time_ns);

/* Takes back what was added too much around an instant. */
void timeline_take(enum timeline_metric metric, uint64_t at_ns, uint64_t time_ns);

/* Start-up and fork child: nothing yet. */
void timeline_reset(void);
