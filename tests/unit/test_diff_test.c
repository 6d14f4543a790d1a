/* SPDX-License-Identifier: MIT */
/* The statistics of ptrace-diff against values that are in tables, or can be counted by hand. */
#include "analyze/diff/diff_test.h"
#include "tests/unit/unit.h"

#include <math.h>

#define NEAR(got, wanted, within) ck_assert_double_eq_tol(got, wanted, within)

START_TEST(medians)
{
	const double odd[] = {5, 1, 3}, even[] = {4, 1, 2, 10};

	NEAR(diff_test_median(odd, 3), 3, 1e-12);
	NEAR(diff_test_median(even, 4), 3, 1e-12);
	ck_assert(isnan(diff_test_median(odd, 0)));
}
END_TEST

/* Of the 20 ways to divide six numbers by three, two are as far apart as can be. */
START_TEST(ranks_apart)
{
	const double a[] = {1, 2, 3}, b[] = {4, 5, 6}, mixed[] = {1, 3, 5}, others[] = {2, 4, 6};

	NEAR(diff_test_ranks(a, 3, b, 3), 0.1, 1e-12);
	NEAR(diff_test_ranks(b, 3, a, 3), 0.1, 1e-12);
	/* U = 3: 14 of the 20 are as far from the middle. */
	NEAR(diff_test_ranks(mixed, 3, others, 3), 0.7, 1e-12);
	NEAR(diff_test_ranks_least(3, 3), 0.1, 1e-12);
	NEAR(diff_test_ranks_least(5, 5), 2.0 / 252, 1e-12);
	NEAR(diff_test_ranks_least(1, 1), 1, 1e-12);
}
END_TEST

/* Tables of the Mann-Whitney test: n = m = 5, U = 2: 0.0317 two-sided; n = m = 8, U = 13: 0.0499.
 */
START_TEST(ranks_as_in_tables)
{
	const double a5[] = {1, 2, 3, 4, 7}, b5[] = {5, 6, 8, 9, 10};
	const double a8[] = {1, 2, 3, 4, 5, 9, 10, 15}, b8[] = {6, 7, 8, 11, 12, 13, 14, 16};

	NEAR(diff_test_ranks(a5, 5, b5, 5), 0.0317, 1e-4);
	NEAR(diff_test_ranks(a8, 8, b8, 8), 0.0499, 1e-4);
}
END_TEST

/* {1, 1} of {1, 1, 1, 2}: equal values share their rank; all ways with two 1s are as likely. */
START_TEST(ranks_of_ties)
{
	const double a[] = {1, 1}, b[] = {1, 2}, same[] = {7, 7, 7};

	NEAR(diff_test_ranks(a, 2, b, 2), 1, 1e-12);
	NEAR(diff_test_ranks(same, 3, same, 3), 1, 1e-12);
}
END_TEST

/* The approximation takes over without a jump. */
START_TEST(ranks_of_many)
{
	double a[21], b[21];

	for (int i = 0; i < 21; i++) {
		a[i] = 2 * i;
		b[i] = 2 * i + 9;
	}
	double exact = diff_test_ranks(a, 20, b, 20), approximate = diff_test_ranks(a, 21, b, 21);

	ck_assert_double_gt(exact, 0.01);
	ck_assert_double_lt(exact, 0.2);
	ck_assert_double_lt(fabs(exact - approximate), 0.02);
}
END_TEST

START_TEST(deviations)
{
	const double a[] = {1, 2, 3}, b[] = {11, 13};

	/* (2 + 2) / (5 - 2) */
	NEAR(diff_test_deviation(a, 3, b, 2), sqrt(4.0 / 3), 1e-12);
	NEAR(diff_test_deviation(a, 3, b, 0), 1, 1e-12);
	NEAR(diff_test_deviation(a, 3, b, 1), 1, 1e-12);
	ck_assert(isnan(diff_test_deviation(a, 1, b, 1)));
}
END_TEST

UNIT_MAIN("the statistics of ptrace-diff", medians, ranks_apart, ranks_as_in_tables, ranks_of_ties,
	  ranks_of_many, deviations)
