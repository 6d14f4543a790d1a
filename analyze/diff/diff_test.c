/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff_test.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double *sorted(const double *values, size_t count)
{
	double *copy = memory_allocate(count, sizeof *copy);

	if (count)
		memcpy(copy, values, count * sizeof *copy);
	qsort(copy, count, sizeof *copy, compare);
	return copy;
}

double diff_test_median(const double *values, size_t count)
{
	if (!count)
		return NAN;
	double *copy = sorted(values, count);
	double median = (copy[(count - 1) / 2] + copy[count / 2]) / 2;

	free(copy);
	return median;
}

/* ---- the rank test; ranks are doubled, so that those of ties are whole numbers */

struct ranking {
	size_t *doubled; /* by value, ascending */
	double *values;  /* the same order */
	size_t count;
	double ties; /* sum of t^3 - t over groups of t equal values */
};

static struct ranking rank_all(const double *a, size_t a_count, const double *b, size_t b_count)
{
	struct ranking ranking = {.count = a_count + b_count};
	double *all = memory_allocate(ranking.count, sizeof *all);

	memcpy(all, a, a_count * sizeof *all);
	memcpy(all + a_count, b, b_count * sizeof *all);
	ranking.values = sorted(all, ranking.count);
	free(all);
	ranking.doubled = memory_allocate(ranking.count, sizeof *ranking.doubled);
	for (size_t i = 0, next; i < ranking.count; i = next) {
		for (next = i; next < ranking.count && ranking.values[next] == ranking.values[i];)
			next++;
		double t = (double)(next - i);

		ranking.ties += t * t * t - t;
		for (size_t j = i; j < next; j++)
			ranking.doubled[j] = i + 1 + next;
	}
	return ranking;
}

static size_t doubled_sum(const struct ranking *ranking, const double *values, size_t count)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const double *at = bsearch(&values[i], ranking->values, ranking->count,
					   sizeof *ranking->values, compare);

		sum += ranking->doubled[at - ranking->values];
	}
	return sum;
}

/* ways[k][s]: of the ranks so far, the ways to choose k with the sum s. */
static double exact(const struct ranking *ranking, size_t chosen, size_t sum)
{
	size_t most = ranking->count * (ranking->count + 1), width = most + 1;
	double *ways = memory_allocate((chosen + 1) * width, sizeof *ways);
	double mean = (double)chosen * (double)(ranking->count + 1);
	double distance = fabs((double)sum - mean), all = 0, as_far = 0;

	ways[0] = 1;
	for (size_t i = 0; i < ranking->count; i++)
		for (size_t k = i + 1 < chosen ? i + 1 : chosen; k; k--)
			for (size_t s = most; s >= ranking->doubled[i]; s--)
				ways[k * width + s] +=
					ways[(k - 1) * width + s - ranking->doubled[i]];
	for (size_t s = 0; s < width; s++) {
		all += ways[chosen * width + s];
		if (fabs((double)s - mean) >= distance - 0.5)
			as_far += ways[chosen * width + s];
	}
	free(ways);
	return as_far / all;
}

static double approximate(const struct ranking *ranking, size_t chosen, size_t sum)
{
	double n = (double)ranking->count, a = (double)chosen, b = n - a;
	double variance = a * b / 12 * (n + 1 - ranking->ties / (n * (n - 1)));
	double distance = fabs((double)sum / 2 - a * (n + 1) / 2) - 0.5;

	if (!(variance > 0) || distance <= 0)
		return 1;
	return erfc(distance / sqrt(2 * variance));
}

double diff_test_ranks(const double *a, size_t a_count, const double *b, size_t b_count)
{
	if (!a_count || !b_count)
		return 1;
	struct ranking ranking = rank_all(a, a_count, b, b_count);
	size_t sum = doubled_sum(&ranking, a, a_count);
	double probability = ranking.count <= DIFF_TEST_EXACT_MAX
				     ? exact(&ranking, a_count, sum)
				     : approximate(&ranking, a_count, sum);

	free(ranking.doubled);
	free(ranking.values);
	return probability;
}

/* Two of all ways to divide the ranks: either group has the lowest ones. */
double diff_test_ranks_least(size_t a_count, size_t b_count)
{
	double ways = 1;

	for (size_t i = 1; i <= a_count; i++)
		ways = ways * (double)(b_count + i) / (double)i;
	return a_count && b_count ? 2 / ways : 1;
}

/* ---- the spread */

static double sum_squares(const double *values, size_t count)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

double diff_test_deviation(const double *a, size_t a_count, const double *b, size_t b_count)
{
	size_t groups = (a_count > 0) + (b_count > 0);

	if (a_count + b_count <= groups)
		return NAN;
	return sqrt((sum_squares(a, a_count) + sum_squares(b, b_count)) /
		    (double)(a_count + b_count - groups));
}
