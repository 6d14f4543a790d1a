/* SPDX-License-Identifier: MIT */
/* Values counted by powers of two, as the columns of type hist32 have them, and what can be told of
 * their percentiles.
 *
 * The p-th percentile is the smallest of the values that at least p percent do not exceed (nearest
 * rank). A histogram tells in which bin it lies, so it is an interval: [low, high], which the
 * largest value bounds as well. `value` is its geometric mean: at most sqrt(high / low) off, which
 * is 41 % for a whole bin. Context: pure. */
#pragma once

#include <stdint.h>

enum { HISTOGRAM_BINS = 32 };

struct histogram {
	uint64_t bins[HISTOGRAM_BINS]; /* b: from 2^b to less than 2^(b+1); 0 is in the first, the
					  last is open */
};

struct histogram_percentile {
	double low, value, high; /* NAN: nothing was counted */
};

void histogram_add(struct histogram *into, const uint64_t bins[HISTOGRAM_BINS]);
uint64_t histogram_count(const struct histogram *histogram);
/* percent: above 0, at most 100. longest: the largest of the values. */
struct histogram_percentile histogram_percentile(const struct histogram *histogram, double percent,
						 uint64_t longest);
