/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/histogram.h"

#include <math.h>

void histogram_add(struct histogram *into, const uint64_t bins[HISTOGRAM_BINS])
{
	for (unsigned b = 0; b < HISTOGRAM_BINS; b++)
		into->bins[b] += bins[b];
}

uint64_t histogram_count(const struct histogram *histogram)
{
	uint64_t count = 0;

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++)
		count += histogram->bins[b];
	return count;
}

static unsigned bin_of_rank(const struct histogram *histogram, double rank)
{
	double below = 0;
	unsigned last = 0;

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		below += (double)histogram->bins[b];
		last = histogram->bins[b] ? b : last;
		if (below >= rank)
			return b;
	}
	return last;
}

struct histogram_percentile histogram_percentile(const struct histogram *histogram, double percent,
						 uint64_t longest)
{
	uint64_t count = histogram_count(histogram);

	if (!count)
		return (struct histogram_percentile){NAN, NAN, NAN};
	unsigned bin = bin_of_rank(histogram, fmax(1, ceil(percent / 100 * (double)count)));
	double low = bin ? ldexp(1, (int)bin) : 0;
	double high = bin + 1 < HISTOGRAM_BINS ? ldexp(1, (int)bin + 1) : INFINITY;

	/* of a damaged file the two need not fit together */
	if ((double)longest >= low)
		high = fmin(high, (double)longest);
	if (isinf(high))
		high = 2 * low;
	return (struct histogram_percentile){low, low > 0 ? sqrt(low * high) : high / 2, high};
}
