/* SPDX-License-Identifier: MIT */
#include "analyze/print/text_wrap.h"

#include "analyze/print/text_format.h"

#include <stdlib.h>
#include <string.h>

/* Length of the next line of at most `room` columns: up to the last blank that fits, or a long word
 * as a whole. */
static size_t line_length(const char *text, unsigned room)
{
	size_t length = 0, blank = 0;
	unsigned columns = 0;

	for (; text[length]; length++) {
		if (text[length] == ' ' && text[length + 1] != '%') /* a figure keeps its unit */
			blank = length;
		columns += ((unsigned char)text[length] & 0xc0) != 0x80;
		if (columns > room && blank)
			return blank;
	}
	return length;
}

void text_wrap(FILE *out, unsigned width, bool is_utf8, const char *first, const char *text)
{
	unsigned indent = text_columns(first);
	unsigned room = width > indent + 20 ? width - indent : 20;
	char *clean = text_fit(text, (unsigned)strlen(text), is_utf8);

	for (const char *at = clean; *at;) {
		size_t length = line_length(at, room);

		if (at == clean)
			fputs(first, out);
		else
			fprintf(out, "%*s", (int)indent, "");
		fprintf(out, "%.*s\n", (int)length, at);
		at += length;
		at += strspn(at, " ");
	}
	free(clean);
}
