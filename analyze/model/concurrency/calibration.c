/* SPDX-License-Identifier: MIT */
#include "analyze/model/concurrency/calibration.h"

#include "analyze/base/number.h"

#include <math.h>

enum { BISECTIONS = 100 };

struct sums {
	double total, active;
};

/* Sums with level i weighted by exp(slope * i), relative to the highest level so that nothing
 * overflows. */
static struct sums weigh(const struct efficiency_level *levels, size_t count, double slope,
			 double highest)
{
	struct sums sums = {0, 0};

	for (size_t i = 0; i < count; i++) {
		double active = (double)levels[i].active;
		double shift = slope > 0 ? active - highest : active;
		double weight = (double)levels[i].time_ns * exp(slope * shift);
		sums.total += weight;
		sums.active += active * weight;
	}
	return sums;
}

static double find_slope(const struct efficiency_level *levels, size_t count, double average,
			 double highest)
{
	double low = -50, high = 50;

	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;
		struct sums sums = weigh(levels, count, middle, highest);
		if (sums.active / sums.total < average)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Rounding must not lose a nanosecond of the elapsed time: the remainder is added to the longest
 * level. */
static void keep_total(struct efficiency_level *levels, size_t count, uint64_t total)
{
	size_t longest = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		sum += levels[i].time_ns;
		if (levels[i].time_ns > levels[longest].time_ns)
			longest = i;
	}
	levels[longest].time_ns += total - sum;
}

/* Time can move to a level that was not measured, if it has any: a nanosecond. */
static void add_level(struct efficiency_level *levels, size_t *count, uint64_t active)
{
	for (size_t i = 0; i < *count; i++)
		if (levels[i].active == active)
			return;
	levels[(*count)++] = (struct efficiency_level){active, 1};
}

void calibrate_levels(struct efficiency_level *levels, size_t *count, double active_ns,
		      uint64_t processors)
{
	double highest = 0;
	uint64_t total = 0;

	for (size_t i = 0; i < *count; i++) {
		total += levels[i].time_ns;
		highest = fmax(highest, (double)levels[i].active);
	}
	double average = total ? active_ns / (double)total : 0;
	if (highest <= 0 || average <= 0)
		return;
	add_level(levels, count, 0);
	if (average > highest) {
		highest = ceil(fmin(average, fmax(highest, (double)processors)));
		add_level(levels, count, (uint64_t)highest);
	}
	average = fmin(average, highest);
	double slope = find_slope(levels, *count, average, highest);
	struct sums sums = weigh(levels, *count, slope, highest);
	for (size_t i = 0; i < *count; i++) {
		double shift =
			slope > 0 ? (double)levels[i].active - highest : (double)levels[i].active;
		double share = (double)levels[i].time_ns * exp(slope * shift) / sums.total;
		levels[i].time_ns = number_of_real(share * (double)total);
	}
	keep_total(levels, *count, total);
}
