/* SPDX-License-Identifier: MIT */
/* How well a figure is known, from best to worst; a figure computed from others has the worst of
 * their grades. An unknown figure is NAN in doubles, null in JSON, "?" in text. */
#pragma once

#include <stdint.h>

enum grade { GRADE_EXACT, GRADE_SAMPLED, GRADE_ESTIMATED, GRADE_UNKNOWN };

static inline enum grade grade_worse(enum grade a, enum grade b)
{
	return a > b ? a : b;
}

/* From a number in a file, which may be anything. */
static inline enum grade grade_of_number(uint64_t number)
{
	return number > GRADE_UNKNOWN ? GRADE_UNKNOWN : (enum grade)number;
}
