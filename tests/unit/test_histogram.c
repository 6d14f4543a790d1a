/* SPDX-License-Identifier: MIT */
/* Percentiles of histograms, against the values that were counted. */
#include "analyze/model/common/histogram.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

static void count(struct histogram *histogram, uint64_t value)
{
	unsigned bin = 63u - (unsigned)__builtin_clzll(value | 1);

	histogram->bins[bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1]++;
}

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

START_TEST(nothing_is_unknown)
{
	struct histogram none = {0};

	ck_assert_uint_eq(histogram_count(&none), 0);
	ck_assert(isnan(histogram_percentile(&none, 50, 0).value));
}
END_TEST

START_TEST(the_largest_value_bounds_its_bin)
{
	struct histogram histogram = {0};

	for (int i = 0; i < 10; i++)
		count(&histogram, 1030);
	struct histogram_percentile half = histogram_percentile(&histogram, 50, 1030);

	ck_assert_double_eq(half.low, 1024);
	ck_assert_double_eq(half.high, 1030);
	ck_assert(half.value > 1024 && half.value < 1030);
}
END_TEST

START_TEST(the_last_bin_is_open)
{
	struct histogram histogram = {0};
	uint64_t longest = UINT64_C(90) << 32;

	count(&histogram, longest);
	ck_assert_double_eq(histogram_percentile(&histogram, 99, longest).high, (double)longest);
	ck_assert_double_eq(histogram_percentile(&histogram, 99, longest).low, ldexp(1, 31));
	ck_assert(isfinite(histogram_percentile(&histogram, 99, 7).high)); /* a damaged file */
}
END_TEST

START_TEST(percentiles_hold_the_true_ones)
{
	enum { VALUES = 1000 };
	static const double percents[] = {1, 50, 90, 99, 99.9, 100};
	uint64_t values[VALUES], seed = 88172645463325252u;
	struct histogram histogram = {0};

	for (int i = 0; i < VALUES; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		values[i] = seed >> (seed % 40 + 20);
		count(&histogram, values[i]);
	}
	qsort(values, VALUES, sizeof *values, compare);
	for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
		double rank = ceil(percents[i] / 100 * VALUES);
		double wanted = (double)values[(size_t)rank - 1];
		struct histogram_percentile got =
			histogram_percentile(&histogram, percents[i], values[VALUES - 1]);

		ck_assert(got.low <= wanted && wanted <= got.high);
		ck_assert(got.low <= got.value && got.value <= got.high);
		if (wanted >= 2 && wanted < 0x1p31)
			ck_assert(fmax(got.value / wanted, wanted / got.value) <= sqrt(2) + 1e-9);
	}
}
END_TEST

UNIT_MAIN("histogram", nothing_is_unknown, the_largest_value_bounds_its_bin, the_last_bin_is_open,
	  percentiles_hold_the_true_ones)
