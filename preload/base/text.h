/* SPDX-License-Identifier: MIT */
/* Building short texts without stdio: snprintf is not async-signal-safe, and profiles are also
 * opened in signal handlers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *bytes;
	size_t capacity;
	size_t length;
};

#define TEXT(array)                                                                                \
	{                                                                                          \
		(array), sizeof(array), 0                                                          \
	}

/* Appends and terminates; false if it does not fit, and then it is cut. */
static inline bool text_add(struct text *text, const char *more)
{
	size_t length = strlen(more);
	size_t space = text->capacity - text->length - 1;
	bool fits = length <= space;

	memcpy(text->bytes + text->length, more, fits ? length : space);
	text->length += fits ? length : space;
	text->bytes[text->length] = '\0';
	return fits;
}

static inline bool text_add_number(struct text *text, uint64_t number)
{
	char digits[24];
	size_t at = sizeof digits - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return text_add(text, digits + at);
}

/* The decimal number at *cursor, after any blanks; *cursor moves behind it. */
static inline uint64_t text_read_number(const char **cursor)
{
	uint64_t number = 0;

	while (**cursor == ' ' || **cursor == '\t')
		++*cursor;
	while (**cursor >= '0' && **cursor <= '9')
		number = number * 10 + (uint64_t)(*(*cursor)++ - '0');
	return number;
}
