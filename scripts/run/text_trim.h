/* SPDX-License-Identifier: MIT */
#pragma once

#include <ctype.h>
#include <stddef.h>

/* Of text[0..length): without blanks at both ends, ended by 0. */
static inline char *text_trim(char *text, size_t length)
{
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
	while (isspace((unsigned char)*text))
		text++;
	return text;
}
