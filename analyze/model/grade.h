/* SPDX-License-Identifier: MIT */
/* How well a figure is known. The order is that of honesty: a figure made of others has the worst
 * grade of them. An unknown figure is NAN in doubles, null in JSON, "?" in text. */
#pragma once

enum grade { GRADE_EXACT, GRADE_SAMPLED, GRADE_ESTIMATED, GRADE_UNKNOWN };

static inline enum grade grade_worse(enum grade a, enum grade b)
{
	return a > b ? a : b;
}
