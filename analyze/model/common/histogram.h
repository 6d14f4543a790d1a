/* SPDX-License-Identifier: MIT */
/* Values counted by powers of two, as the columns of type hist32 have them, and what can be told of
 * their percentiles.
 *
 * The p-th percentile is the smallest of the values that at least p percent do not exceed (nearest
 * rank). A histogram tells in which bin it lies, so it is an interval: [low, high]. The largest
 * value bounds it, and is the last one itself; the sum bounds it too, since what the others had at
 * least and at most is known: of two values, both are exact. `value` is the geometric mean of the
 * bounds: at most sqrt(high / low) off, which is 41 % for a whole bin. Context: pure. */
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

/* What is known of the values besides. Of a damaged file it need not fit the bins: then it is left
 * out. */
struct histogram_known {
	uint64_t longest; /* none is larger */
	uint64_t sum;     /* of all, and longest is one of them, if count is that of the bins */
	uint64_t count;
};

void histogram_add(struct histogram *into, const uint64_t bins[HISTOGRAM_BINS]);
uint64_t histogram_count(const struct histogram *histogram);
/* percent: above 0, at most 100. */
struct histogram_percentile histogram_percentile(const struct histogram *histogram, double percent,
						 struct histogram_known known);
