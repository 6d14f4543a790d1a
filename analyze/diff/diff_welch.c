/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff_welch.h"

#include <math.h>

#define RANKS_NORMAL 1.96 /* two-sided 5 % */

void diff_welch_set(struct diff_welch *welch, size_t side, const double *values, size_t count,
		    double shift)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		mean += log(values[i] + shift) / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += pow(log(values[i] + shift) - mean, 2);
	welch->counts[side] = count;
	welch->squares[side] = squares;
}

static bool is_known(const struct diff_welch *welch)
{
	return welch->counts[0] && welch->counts[1] && welch->counts[0] + welch->counts[1] > 2;
}

double diff_welch_deviation(const struct diff_welch *welch)
{
	double freedom = (double)(welch->counts[0] + welch->counts[1]) - 2;

	return is_known(welch) ? sqrt((welch->squares[0] + welch->squares[1]) / freedom) : NAN;
}

struct spread {
	double variance, freedom;
};

static struct spread spread_of(const struct diff_welch *welch, size_t side)
{
	size_t from = welch->counts[side] > 1 ? side : !side;
	double prior = welch->is_exact ? 0 : DIFF_WELCH_PRIOR_FREEDOM;
	double freedom = (double)welch->counts[from] - 1 + prior;
	double squares = welch->squares[from] + prior * DIFF_WELCH_PRIOR * DIFF_WELCH_PRIOR;

	return (struct spread){fmax(squares / freedom, welch->least * welch->least), freedom};
}

/* The limit for means of so many values. A spread taken from the other group is known no better for
 * that. */
static double limit_of(const struct diff_welch *welch, const struct spread spreads[2],
		       const double counts[2])
{
	double a = spreads[0].variance / counts[0], b = spreads[1].variance / counts[1];
	bool is_shared = welch->counts[0] == 1 || welch->counts[1] == 1;
	double freedom =
		is_shared ? fmin(spreads[0].freedom, spreads[1].freedom)
			  : (a + b) * (a + b) /
				    (a * a / spreads[0].freedom + b * b / spreads[1].freedom);

	return a + b > 0 ? diff_welch_student(freedom) * sqrt(a + b) : 0;
}

double diff_welch_limit(const struct diff_welch *welch)
{
	if (!is_known(welch))
		return NAN;
	const struct spread spreads[] = {spread_of(welch, 0), spread_of(welch, 1)};
	const double counts[] = {(double)welch->counts[0], (double)welch->counts[1]};

	return limit_of(welch, spreads, counts);
}

/* ---- how many it would take */

/* The rank test in its normal approximation, from the expected share of pairs in which the groups
 * are in order. */
static bool would_ranks_tell(const struct spread spreads[2], double difference, double runs)
{
	double deviation = sqrt(spreads[0].variance + spreads[1].variance);
	double share = deviation > 0 ? erf(difference / deviation / sqrt(2)) / 2 : 0.5;

	return share * sqrt(12 * runs * runs / (2 * runs + 1)) >= RANKS_NORMAL;
}

size_t diff_welch_runs(const struct diff_welch *welch, double difference)
{
	if (!is_known(welch))
		return 0;
	struct diff_welch more = *welch;
	const struct spread now[] = {spread_of(welch, 0), spread_of(welch, 1)};
	size_t runs = welch->counts[0] < welch->counts[1] ? welch->counts[0] : welch->counts[1];

	while (++runs <= DIFF_WELCH_RUNS_MAX) {
		for (size_t side = 0; side < 2; side++) {
			more.counts[side] = runs;
			more.squares[side] = now[side].variance * ((double)runs - 1);
		}
		if (runs > 1 && diff_welch_limit(&more) < difference &&
		    would_ranks_tell(now, difference, (double)runs))
			return runs;
	}
	return 0;
}

/* ---- Student's distribution */

/* From tables of the distribution (0.99825 one-sided); between two entries the logarithm is
 * interpolated linearly in 1 / freedom (within 1 %); after the last entry, the expansion of Cornish
 * and Fisher around the normal quantile (within 0.5 %). */
double diff_welch_student(double freedom)
{
	static const double quantiles[] = {181.89, 16.859, 8.432, 6.172, 5.189,
					   4.651,  4.315,  4.087, 3.922, 3.798};
	const size_t last = sizeof quantiles / sizeof *quantiles;
	const double z = 2.92003, n = freedom;

	if (!(freedom < (double)last))
		return z + (pow(z, 3) + z) / (4 * n) +
		       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
	double below = fmax(1, floor(freedom)),
	       part = (1 / below - 1 / freedom) * below * (below + 1);
	size_t at = (size_t)below;

	return quantiles[at - 1] * pow(quantiles[at] / quantiles[at - 1], fmax(0, part));
}
