/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* wcwidth */
#include "common/utf8.h"

#include <wchar.h>

size_t utf8_bytes(const char *character)
{
	const unsigned char *text = (const unsigned char *)character;
	static const struct {
		unsigned char first, last, second_low, second_high;
		size_t bytes;
	} forms[] = {
		{0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (text[0] < forms[i].first || text[0] > forms[i].last)
			continue;
		if (forms[i].bytes > 1 &&
		    (text[1] < forms[i].second_low || text[1] > forms[i].second_high))
			return 0;
		for (size_t b = 2; b < forms[i].bytes; b++)
			if ((text[b] & 0xc0) != 0x80)
				return 0;
		return forms[i].bytes;
	}
	return 0;
}

size_t utf8_step(const char *character)
{
	size_t bytes = utf8_bytes(character);

	return bytes ? bytes : 1;
}

/* wchar_t is the number of the character, whatever the locale (__STDC_ISO_10646__). */
static wchar_t number_of(const char *character, size_t bytes)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	wchar_t number = (unsigned char)*character & first_bits[bytes];

	for (size_t i = 1; i < bytes; i++)
		number = number << 6 | ((unsigned char)character[i] & 0x3f);
	return number;
}

unsigned utf8_columns(const char *character)
{
	size_t bytes = utf8_bytes(character);
	int columns = bytes > 1 ? wcwidth(number_of(character, bytes)) : 1;

	return columns < 0 ? 1 : (unsigned)columns;
}
