/* SPDX-License-Identifier: MIT */
/* Whole numbers as users write them: in options, and in variables. Context: pure, but for errno. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* False: the text is no decimal number from `least` to `most`, or has more than that in it. */
static inline bool whole_number_read(const char *text, long least, long most, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	return !errno && end != text && !*end && *number >= least && *number <= most;
}
