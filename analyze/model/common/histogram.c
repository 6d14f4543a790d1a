/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/histogram.h"

#include <math.h>
#include <stdbool.h>

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

static double low_of(unsigned bin)
{
	return bin ? ldexp(1, (int)bin) : 0;
}

static double high_of(unsigned bin, double longest)
{
	double end = bin + 1 < HISTOGRAM_BINS ? ldexp(1, (int)bin + 1) - 1 : INFINITY;

	return longest >= low_of(bin) ? fmin(end, longest) : end;
}

/* What all values have together at least and at most, but for those of one bin. */
static struct histogram_percentile sum_without(const struct histogram *histogram, unsigned bin,
					       double longest)
{
	struct histogram_percentile sum = {0};

	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		double values = (double)histogram->bins[b];

		if (b == bin || !histogram->bins[b])
			continue;
		bool is_last = longest <= high_of(b, longest) && longest >= low_of(b);

		sum.low += values * low_of(b) + (is_last ? longest - low_of(b) : 0);
		sum.high += values * high_of(b, longest);
	}
	return sum;
}

/* The rank-th value (from 1) in its bin: those before it are no larger, those after it no smaller.
 */
static struct histogram_percentile bound_by_sum(const struct histogram *histogram, unsigned bin,
						double rank, struct histogram_percentile within,
						struct histogram_known known)
{
	double longest = (double)known.longest, sum = (double)known.sum;
	double after = (double)histogram->bins[bin] - rank;
	bool has_longest = after > 0 && longest <= within.high;
	struct histogram_percentile others = sum_without(histogram, bin, longest);
	double least = others.low + (rank - 1) * within.low + (has_longest ? longest : 0);
	double low = fmax(within.low, (sum - others.high - after * within.high) / rank);
	double high = fmin(within.high, (sum - least) / (after + !has_longest));

	return low <= high ? (struct histogram_percentile){low, 0, high} : within;
}

static struct histogram_percentile bounds_of(const struct histogram *histogram, double rank,
					     struct histogram_known known)
{
	unsigned bin = bin_of_rank(histogram, rank);
	double longest = (double)known.longest;
	struct histogram_percentile within = {low_of(bin), 0, high_of(bin, longest)};
	uint64_t count = histogram_count(histogram);

	if (known.count != count || longest < within.low)
		return within;
	if (rank >= (double)count)
		return longest <= within.high ? (struct histogram_percentile){longest, 0, longest}
					      : within;
	for (unsigned b = 0; b < bin; b++)
		rank -= (double)histogram->bins[b];
	return bound_by_sum(histogram, bin, rank, within, known);
}

struct histogram_percentile histogram_percentile(const struct histogram *histogram, double percent,
						 struct histogram_known known)
{
	uint64_t count = histogram_count(histogram);

	if (!count)
		return (struct histogram_percentile){NAN, NAN, NAN};
	double rank = fmax(1, ceil(percent / 100 * (double)count));
	struct histogram_percentile at = bounds_of(histogram, rank, known);

	if (isinf(at.high))
		at.high = 2 * at.low;
	at.value = at.low == at.high ? at.low : at.low > 0 ? sqrt(at.low * at.high) : at.high / 2;
	return at;
}
