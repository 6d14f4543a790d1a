/* SPDX-License-Identifier: MIT */
/* How far apart the medians of two small groups must be to be believed, on a logarithmic scale,
 * that is, as ratios. A program that takes a quarter of the time is as far from the other as one
 * that takes four times as long, and its spread is a quarter as well.
 *
 * The test is Welch's (1947): each group has a spread of its own, and the degrees of freedom are
 * those of Welch and Satterthwaite. The spread of two or three runs is too small by chance now and
 * then, so each is moderated (Smyth 2004): it is combined with the prior DIFF_WELCH_PRIOR, which
 * has DIFF_WELCH_PRIOR_FREEDOM degrees of freedom. A group of one run has no spread and gets that
 * of the other group. Two-sided, for a probability of DIFF_WELCH_PROBABILITY; docs/diff.md has the
 * rates of false alarms and of detection. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define DIFF_WELCH_PRIOR         0.02 /* spread of programs on a quiet machine, from run to run */
#define DIFF_WELCH_PRIOR_FREEDOM 1
#define DIFF_WELCH_PROBABILITY   0.0035

struct diff_welch {
	size_t counts[2];
	double squares[2]; /* sums of squared deviations from the group's mean, of logarithms */
	double least;      /* smallest standard deviation that is believed of a group */
	bool is_exact; /* a count: equal values in all runs are not chance, so there is no prior */
};

/* Of log(value + shift). */
void diff_welch_set(struct diff_welch *welch, size_t side, const double *values, size_t count,
		    double shift);
/* Standard deviation within the groups, pooled; NAN: one value each. */
double diff_welch_deviation(const struct diff_welch *welch);
/* NAN: one value each, so nothing is known about chance. */
double diff_welch_limit(const struct diff_welch *welch);

#define DIFF_WELCH_RUNS_MAX 1000

/* How many runs a side would confirm such a difference of logarithms, if spread and difference stay
 * as they are: the limit is smaller than the difference, and the rank test is expected to reject at
 * 5 %. More than there are now. 0: no number up to DIFF_WELCH_RUNS_MAX would, or nothing is known
 * about chance. */
size_t diff_welch_runs(const struct diff_welch *welch, double difference);

/* Student's t that is exceeded, in either direction, with a probability of DIFF_WELCH_PROBABILITY;
 * freedom: 1 or more. */
double diff_welch_student(double freedom);
