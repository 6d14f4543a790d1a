/* SPDX-License-Identifier: MIT */
/* Welch's test on logarithms, against tables and values that can be worked out by hand. */
#include "analyze/diff/diff_welch.h"
#include "tests/unit/unit.h"

#include <math.h>

#define NEAR(got, wanted, within) ck_assert_double_eq_tol(got, wanted, within)

/* Quantiles for 0.9965 of both sides together, by numerical integration. */
START_TEST(student)
{
	NEAR(diff_welch_student(1), 181.89, 0.01);
	NEAR(diff_welch_student(2), 16.859, 0.001);
	NEAR(diff_welch_student(4), 6.172, 0.001);
	NEAR(diff_welch_student(2.5), 11.018, 0.12);
	NEAR(diff_welch_student(3.4), 7.256, 0.03);
	NEAR(diff_welch_student(20), 3.309, 0.01);
	NEAR(diff_welch_student(1e6), 2.920, 0.001);
	for (double n = 1; n < 30; n += 0.1)
		ck_assert_double_gt(diff_welch_student(n), diff_welch_student(n + 0.1));
}
END_TEST

static double limit_of(size_t a_count, const double *a, size_t b_count, const double *b)
{
	struct diff_welch welch = {0};

	diff_welch_set(&welch, 0, a, a_count, 0);
	diff_welch_set(&welch, 1, b, b_count, 0);
	return diff_welch_limit(&welch);
}

/* Spreads of 0.1 and 0.1: squares 0.02 and 0.02, with the prior 0.0204 / 3 each; 6 degrees of
 * freedom. */
START_TEST(limit_by_hand)
{
	const double a[] = {exp(-0.1), 1, exp(0.1)}, b[] = {4 * exp(-0.1), 4, 4 * exp(0.1)};

	NEAR(limit_of(3, a, 3, b), 4.651 * sqrt(2 * (0.0204 / 3) / 3), 1e-6);
}
END_TEST

/* A quarter of the time, and a quarter of the spread: the same ratio in both directions, however
 * large the times are. */
START_TEST(ratios_know_no_direction)
{
	const double slow[] = {1.6, 1.72, 1.9}, fast[] = {0.44, 0.46, 0.5};

	NEAR(limit_of(3, slow, 3, fast), limit_of(3, fast, 3, slow), 1e-12);
	ck_assert_double_lt(limit_of(3, slow, 3, fast), log(1.72 / 0.46));
	const double slower[] = {16, 17.2, 19};

	NEAR(limit_of(3, slow, 3, slower), limit_of(3, slow, 3, slow), 1e-12);
}
END_TEST

/* One side is steady, the other not: half as many degrees of freedom as two such sides have. */
START_TEST(unequal_spreads)
{
	const double steady[] = {1, 1, 1}, wide[] = {0.5, 1, 2};
	double variance = (2 * log(2) * log(2) + 0.0004) / 3, prior = 0.0004 / 3;
	double freedom = 3 * pow(variance + prior, 2) / (variance * variance + prior * prior);

	NEAR(freedom, 3, 0.01);
	NEAR(limit_of(3, steady, 3, wide),
	     diff_welch_student(freedom) * sqrt((variance + prior) / 3), 1e-9);
	ck_assert_double_gt(limit_of(3, steady, 3, wide), 8 * sqrt(variance / 3));
}
END_TEST

/* One run has no spread: it has that of the other side, known no better for it. */
START_TEST(one_run_against_some)
{
	const double one[] = {1}, three[] = {exp(-0.1), 1, exp(0.1)};
	double variance = 0.0204 / 3;

	NEAR(limit_of(1, one, 3, three), 8.432 * sqrt(variance + variance / 3), 1e-6);
	NEAR(limit_of(3, three, 1, one), limit_of(1, one, 3, three), 1e-12);
	ck_assert(isnan(limit_of(1, one, 1, one)));
}
END_TEST

/* Two runs that agree by chance: they are not believed to be as steady as that. */
START_TEST(agreement_by_chance)
{
	const double a[] = {1, 1}, b[] = {1.07, 1.07};
	struct diff_welch exact = {.is_exact = true};

	ck_assert_double_gt(limit_of(2, a, 2, b), log(1.07));
	diff_welch_set(&exact, 0, a, 2, 0);
	diff_welch_set(&exact, 1, b, 2, 0);
	NEAR(diff_welch_limit(&exact), 0, 1e-12);
	exact.least = 0.1;
	ck_assert_double_gt(diff_welch_limit(&exact), log(1.07));
}
END_TEST

/* Near zero a ratio means nothing. */
START_TEST(shifted)
{
	const double none[] = {0, 0, 1e-6}, some[] = {5, 5.1, 5.2};
	struct diff_welch welch = {0};

	diff_welch_set(&welch, 0, none, 3, 0.1);
	diff_welch_set(&welch, 1, some, 3, 0.1);
	ck_assert_double_lt(diff_welch_limit(&welch), 0.1);
}
END_TEST

START_TEST(runs_needed)
{
	const double a[] = {0.8, 1, 1.25};
	struct diff_welch welch = {0}, more;

	diff_welch_set(&welch, 0, a, 3, 0);
	diff_welch_set(&welch, 1, a, 3, 0);
	double difference = 0.8 * diff_welch_limit(&welch);
	size_t runs = diff_welch_runs(&welch, difference);

	ck_assert_uint_gt(runs, 3);
	/* the number is the first that does, if the spread stays what it is believed to be */
	for (size_t count = runs - 1; count <= runs; count++) {
		more = welch;
		for (size_t side = 0; side < 2; side++) {
			more.counts[side] = count;
			more.squares[side] = ((double)count - 1) * (welch.squares[0] + 0.0004) / 3;
		}
		ck_assert_int_eq(diff_welch_limit(&more) < difference, count == runs);
	}
	ck_assert_uint_gt(diff_welch_runs(&welch, difference / 3), 2 * runs);
	ck_assert_uint_eq(diff_welch_runs(&welch, 1e-9), 0);
	/* beyond the limit, but runs overlap: more of them, all the same */
	ck_assert_uint_gt(diff_welch_runs(&welch, 10), 3);
	diff_welch_set(&welch, 0, a, 1, 0);
	diff_welch_set(&welch, 1, a, 1, 0);
	ck_assert_uint_eq(diff_welch_runs(&welch, 1), 0);
}
END_TEST

UNIT_MAIN("Welch's test", student, limit_by_hand, ratios_know_no_direction, unequal_spreads,
	  one_run_against_some, agreement_by_chance, shifted, runs_needed)
