/* SPDX-License-Identifier: MIT */
/* How well a figure is known. The order is that of honesty: a figure made of others has the worst
 * grade of them. An unknown figure is NAN in doubles, null in JSON, "?" in text. */
#pragma once

#include <stdint.h>

enum grade { GRADE_EXACT, GRADE_SAMPLED, GRADE_ESTIMATED, GRADE_UNKNOWN };

static inline enum grade grade_worse(enum grade a, enum grade b)
{
	return a > b ? a : b;
}

/* Of a file that may hold anything. */
static inline enum grade grade_of_number(uint64_t number)
{
	return number > GRADE_UNKNOWN ? GRADE_UNKNOWN : (enum grade)number;
}
