/* SPDX-License-Identifier: MIT */
#include "analyze/base/option_number.h"

#include "analyze/base/die.h"

#include <errno.h>
#include <stdlib.h>

unsigned long option_number(const char *option, const char *text, unsigned long least,
			    unsigned long most)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(text, &end, 10);

	if (errno || end == text || *end || *text == '-' || number < least || number > most)
		die("%s %s: give a number from %lu to %lu", option, text, least, most);
	return number;
}
