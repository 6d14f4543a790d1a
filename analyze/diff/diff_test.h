/* SPDX-License-Identifier: MIT */
/* The statistics of two small groups of numbers.
 *
 * The rank test is that of Wilcoxon (1945) and Mann and Whitney (1947): the probability, if both
 * groups came from one distribution, that their ranks are at least as far apart as they are. Exact,
 * ties included, by counting all ways to divide the ranks (Streitberg and Roehmel 1986), up to
 * DIFF_TEST_EXACT_MAX numbers; above, the normal approximation with correction for ties and
 * continuity. With few runs the probability cannot become small: 3 against 3 give at least 0.1.
 *
 * Context: pure. */
#pragma once

#include <stddef.h>

#define DIFF_TEST_EXACT_MAX 40

/* NAN without numbers. */
double diff_test_median(const double *values, size_t count);
/* Two-sided probability of the rank test; 1 where a group is empty. */
double diff_test_ranks(const double *a, size_t a_count, const double *b, size_t b_count);
/* The smallest probability possible with so many numbers. */
double diff_test_ranks_least(size_t a_count, size_t b_count);
/* Standard deviation within the groups, pooled: a_count + b_count - 2 degrees of freedom; NAN
 * without any. Either group may be empty. */
double diff_test_deviation(const double *a, size_t a_count, const double *b, size_t b_count);
