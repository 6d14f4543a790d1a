/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/blame_error.h"

#include "analyze/base/number.h"
#include "analyze/read/profile.h"

#include <math.h>

/* The same criterion as in the library (quick_wait.c). */
#define UNLIKE_NS    50e3
#define UNLIKE_TIMES 8

static double middle_ns(size_t bin)
{
	return 1.5 * ldexp(1, (int)bin);
}

/* Sum of squares of those that are like the others, with the middle of its bin for each wait. */
static double raw_squares(const struct profile_wait *wait, double average_ns)
{
	double squares = 0;

	for (size_t bin = 0; bin < PROFILE_BINS; bin++)
		if (ldexp(1, (int)bin) <= fmax(UNLIKE_NS, UNLIKE_TIMES * average_ns))
			squares += (double)wait->histogram[bin] * middle_ns(bin) * middle_ns(bin);
	return squares;
}

static double raw_sum(const struct profile_wait *wait)
{
	double sum = 0;

	for (size_t bin = 0; bin < PROFILE_BINS; bin++)
		sum += (double)wait->histogram[bin] * middle_ns(bin);
	return sum;
}

uint64_t blame_error_spread(const struct profile_wait *wait)
{
	double all = (double)wait->count, drawn = fmin((double)wait->left_out, all);
	double measured = fmax(1, all - drawn), raw = raw_sum(wait);

	if (!(drawn > 0) || !(raw > 0))
		return 0;
	double scale = (double)wait->sum_ns / raw;
	double squares = raw_squares(wait, (double)wait->sum_ns / all) * scale * scale;

	/* S is the part drawn / all of them */
	return number_of_real(ceil(2 * squares * drawn / measured / 1e6));
}

double blame_error_ns(struct blame_lot lot, uint64_t blame_ns)
{
	double measured = fmax(1, (double)lot.measured);
	double share = lot.wait_ns ? fmin(1, (double)blame_ns / (double)lot.wait_ns) : 0;
	double known = (share * measured + 0.5) / (measured + 1);

	return 1e3 * sqrt(known * (1 - known) * (double)lot.spread_us2);
}
