/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/time_bins.h"

#include <math.h>
#include <string.h>

enum {
	SHIFT_MAX = 62,   /* longer bins are damage */
	SHIFT_LEAST = 20, /* of time that is spread: as in profiles */
	ROUNDS = 64,      /* of scaling: each brings less above the most that a bin may have */
};

/* Two bins become one. */
static void fold(struct time_bins *bins)
{
	uint64_t first = bins->first >> 1;
	size_t count = 0;

	for (size_t metric = 0; metric < TIME_METRICS; metric++) {
		double folded[TIME_BINS] = {0};

		for (size_t i = 0; i < bins->count; i++) {
			size_t to = (size_t)(((bins->first + i) >> 1) - first);

			folded[to] += bins->ns[metric][i];
			count = to + 1;
		}
		memcpy(bins->ns[metric], folded, sizeof folded);
	}
	bins->first = first;
	bins->count = count;
	bins->shift++;
}

/* Extends the range to the bin, merging bins if necessary; false: the bin makes no sense. */
static bool cover(struct time_bins *bins, unsigned shift, uint64_t bin)
{
	while (bins->count && bins->shift < shift)
		fold(bins);
	if (!bins->count) {
		bins->shift = shift;
		bins->first = bin;
		bins->count = 1;
		return true;
	}
	for (; bins->shift < SHIFT_MAX; fold(bins)) {
		uint64_t at = bin >> (bins->shift - shift), end = bins->first + bins->count;
		uint64_t first = at < bins->first ? at : bins->first;
		size_t before = (size_t)(bins->first - first);

		if ((at < end ? end : at + 1) - first > TIME_BINS)
			continue;
		for (size_t metric = 0; before && metric < TIME_METRICS; metric++) {
			double *ns = bins->ns[metric];

			memmove(ns + before, ns, bins->count * sizeof *ns);
			memset(ns, 0, before * sizeof *ns);
		}
		bins->first = first;
		bins->count = (size_t)((at < end ? end : at + 1) - first);
		return true;
	}
	return false;
}

bool time_bins_are_sane(uint64_t shift, uint64_t bin, double time_ns)
{
	return shift < SHIFT_MAX && bin < UINT64_MAX >> (shift + 1) && time_ns > 0 &&
	       time_ns <= 0x1p64;
}

void time_bins_add(struct time_bins *bins, enum time_metric metric, unsigned shift, uint64_t bin,
		   double time_ns)
{
	if (cover(bins, shift, bin))
		bins->ns[metric][(bin >> (bins->shift - shift)) - bins->first] += time_ns;
}

static double overlap(uint64_t bin, unsigned shift, uint64_t from_ns, uint64_t to_ns)
{
	double low = ldexp((double)bin, (int)shift), high = ldexp((double)bin + 1, (int)shift);

	return fmax(0, fmin(high, (double)to_ns) - fmax(low, (double)from_ns));
}

void time_bins_spread(struct time_bins *bins, enum time_metric metric, uint64_t from_ns,
		      uint64_t to_ns, double time_ns)
{
	unsigned shift = bins->count > 0 ? bins->shift : SHIFT_LEAST;

	if (to_ns <= from_ns)
		return;
	while (((to_ns - 1) >> shift) - (from_ns >> shift) >= TIME_BINS)
		shift++;
	for (uint64_t bin = from_ns >> shift; bin <= (to_ns - 1) >> shift; bin++) {
		double part =
			time_ns * overlap(bin, shift, from_ns, to_ns) / (double)(to_ns - from_ns);

		if (time_bins_are_sane(shift, bin, part))
			time_bins_add(bins, metric, shift, bin, part);
	}
}

double time_bins_sum(const struct time_bins *bins, enum time_metric metric)
{
	double sum = 0;

	for (size_t i = 0; i < bins->count; i++)
		sum += bins->ns[metric][i];
	return sum;
}

void time_bins_scale(struct time_bins *bins, enum time_metric metric, double sum_ns,
		     const double most_ns[TIME_BINS])
{
	double *ns = bins->ns[metric];

	for (int round = 0; round < ROUNDS; round++) {
		double sum = time_bins_sum(bins, metric);

		if (sum <= 0 || fabs(sum - sum_ns) <= 1e-9 * sum_ns)
			return;
		for (size_t i = 0; i < bins->count; i++)
			ns[i] = fmin(most_ns[i], ns[i] * (sum_ns / sum));
	}
}
