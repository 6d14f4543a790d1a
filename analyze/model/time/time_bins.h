/* SPDX-License-Identifier: MIT */
/* Thread time over time, in at most TIME_BINS bins of equal length, which are merged in pairs when
 * there would be more. Bin i begins at (first + i) << shift, on some clock of the caller's. A
 * zeroed struct has no bins. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIME_BINS 512

enum time_metric { TIME_USEFUL, TIME_ON_PROCESSOR, TIME_METRICS };

struct time_bins {
	unsigned shift;
	uint64_t first;
	size_t count; /* bins in use */
	double ns[TIME_METRICS][TIME_BINS];
};

/* A bin of that length and number; false: no clock can reach it, or have so much time. */
bool time_bins_are_sane(uint64_t shift, uint64_t bin, double time_ns);

/* Adds time to a bin, which is sane. Longer bins than the present ones make all as long. */
void time_bins_add(struct time_bins *bins, enum time_metric metric, unsigned shift, uint64_t bin,
		   double time_ns);

/* Adds time evenly between two instants. */
void time_bins_spread(struct time_bins *bins, enum time_metric metric, uint64_t from_ns,
		      uint64_t to_ns, double time_ns);

double time_bins_sum(const struct time_bins *bins, enum time_metric metric);

/* Scales the bins to that sum; none gets more than its most_ns, if the sum allows that. */
void time_bins_scale(struct time_bins *bins, enum time_metric metric, double sum_ns,
		     const double most_ns[TIME_BINS]);
