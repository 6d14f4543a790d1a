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
	ck_assert(isnan(histogram_percentile(&none, 50, (struct histogram_known){0}).value));
}
END_TEST

START_TEST(the_largest_value_bounds_its_bin)
{
	struct histogram histogram = {0};

	for (int i = 0; i < 10; i++)
		count(&histogram, 1030);
	struct histogram_percentile half =
		histogram_percentile(&histogram, 50, (struct histogram_known){.longest = 1030});

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
	ck_assert_double_eq(
		histogram_percentile(&histogram, 99, (struct histogram_known){.longest = longest})
			.high,
		(double)longest);
	ck_assert_double_eq(
		histogram_percentile(&histogram, 99, (struct histogram_known){.longest = longest})
			.low,
		ldexp(1, 31));
	ck_assert(isfinite(
		histogram_percentile(&histogram, 99, (struct histogram_known){.longest = 7})
			.high)); /* a damaged file */
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
		struct histogram_percentile got = histogram_percentile(
			&histogram, percents[i],
			(struct histogram_known){.longest = values[VALUES - 1]});

		ck_assert(got.low <= wanted && wanted <= got.high);
		ck_assert(got.low <= got.value && got.value <= got.high);
		if (wanted >= 2 && wanted < 0x1p31)
			ck_assert(fmax(got.value / wanted, wanted / got.value) <= sqrt(2) + 1e-9);
	}
}
END_TEST

/* All of them, so that their sum and the longest bound each. */
static struct histogram_percentile of_all(const uint64_t *values, size_t number, double percent)
{
	struct histogram histogram = {0};
	struct histogram_known known = {.count = number};

	for (size_t i = 0; i < number; i++) {
		count(&histogram, values[i]);
		known.sum += values[i];
		known.longest = values[i] > known.longest ? values[i] : known.longest;
	}
	return histogram_percentile(&histogram, percent, known);
}

START_TEST(one_value_and_two_are_exact)
{
	static const uint64_t one[] = {998000000}, two[] = {97000001, 183000000},
			      near[] = {600, 700};

	ck_assert_double_eq(of_all(one, 1, 50).value, 998000000);
	ck_assert_double_eq(of_all(one, 1, 99).low, 998000000);
	ck_assert_double_eq(of_all(two, 2, 50).value, 97000001);
	ck_assert_double_eq(of_all(two, 2, 90).value, 183000000);
	ck_assert_double_eq(of_all(near, 2, 50).value, 600);
}
END_TEST

START_TEST(a_value_that_did_not_end_is_no_percentile)
{
	struct histogram histogram = {0};

	count(&histogram, 600);
	struct histogram_percentile half = histogram_percentile(
		&histogram, 50, (struct histogram_known){.longest = 900, .sum = 1500, .count = 2});

	ck_assert(half.low <= 600 && half.high >= 600);
}
END_TEST

START_TEST(the_sum_bounds_what_the_bins_do_not)
{
	uint64_t values[10];

	for (int i = 0; i < 10; i++)
		values[i] = 513;
	values[9] = 1020; /* the mean is 564 */
	ck_assert(of_all(values, 10, 50).high < 520);
	ck_assert_double_eq(of_all(values, 10, 99).value, 1020);
}
END_TEST

START_TEST(bounds_hold_of_any_few_values)
{
	uint64_t seed = 88172645463325252u, values[7];

	for (int round = 0; round < 20000; round++) {
		size_t number = 1 + (size_t)round % 7;

		for (size_t i = 0; i < number; i++) {
			seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
			values[i] = seed >> (seed % 12 + (unsigned)round % 40 + 12);
		}
		qsort(values, number, sizeof *values, compare);
		for (double percent = 5; percent <= 100; percent += 19) {
			struct histogram_percentile got = of_all(values, number, percent);
			double wanted =
				(double)values[(size_t)ceil(percent / 100 * (double)number) - 1];

			ck_assert(got.low <= wanted + 1e-6 * wanted &&
				  wanted <= got.high + 1e-6 * wanted);
			ck_assert(got.low <= got.value && got.value <= got.high);
		}
	}
}
END_TEST

UNIT_MAIN("histogram", nothing_is_unknown, the_largest_value_bounds_its_bin, the_last_bin_is_open,
	  percentiles_hold_the_true_ones, one_value_and_two_are_exact,
	  a_value_that_did_not_end_is_no_percentile, the_sum_bounds_what_the_bins_do_not,
	  bounds_hold_of_any_few_values)
