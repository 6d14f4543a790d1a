/* SPDX-License-Identifier: MIT */
/* What the process did over time, in a bounded number of bins: when there would be more, pairs of
 * bins are folded into one (the time histograms of Paradyn: B. P. Miller et al., IEEE Computer
 * 28(11), 1995). Bins are aligned to CLOCK_MONOTONIC, so that those of all processes of a machine
 * coincide.
 *
 * Context: the thread that holds the drain (concurrency.c), or the only thread. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

/* Adds thread time, spread evenly between two instants. */
void timeline_add(enum timeline_metric metric, uint64_t from_ns, uint64_t to_ns, uint64_t time_ns);

/* Takes back what was too much, from the bin of an instant and those before it. */
void timeline_take(enum timeline_metric metric, uint64_t at_ns, uint64_t time_ns);

/* Start-up and fork child: empty. */
void timeline_reset(void);
