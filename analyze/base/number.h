/* SPDX-License-Identifier: MIT */
/* Arithmetic that is defined for every number, since a damaged file may hold any.
 *
 * C leaves undefined what becomes of a double that no integer can hold, and of a signed sum that
 * overflows. Here the result is the nearest integer that can be represented (saturation), so that
 * instants stay in order. All other results are those of C. Context: pure. */
#pragma once

#include <math.h>
#include <stdint.h>

/* Of a time or a count; an unknown one (NAN) becomes 0. */
static inline uint64_t number_of_real(double real)
{
	if (!(real > 0))
		return 0;
	return real < 0x1p64 ? (uint64_t)real : UINT64_MAX;
}

/* Of a difference of two times; an unknown one (NAN) becomes 0. */
static inline int64_t number_of_signed_real(double real)
{
	if (!(real < 0))
		return real < 0x1p63 ? (int64_t)real : real > 0 ? INT64_MAX : 0;
	return real >= -0x1p63 ? (int64_t)real : INT64_MIN;
}

static inline int64_t number_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static inline int64_t number_difference(int64_t a, int64_t b)
{
	int64_t difference;

	return __builtin_sub_overflow(a, b, &difference) ? (b < 0 ? INT64_MAX : INT64_MIN)
							 : difference;
}

/* The mean of two groups of whole numbers together. The sums of the groups are whole numbers as
 * well: because they are rounded to whole numbers, the mean is the same in whatever order groups
 * are united, to the last digit. */
static inline double number_united_mean(double mean_a, double count_a, double mean_b,
					double count_b)
{
	return (rint(mean_a * count_a) + rint(mean_b * count_b)) / (count_a + count_b);
}
