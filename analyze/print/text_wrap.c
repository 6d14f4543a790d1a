/* SPDX-License-Identifier: MIT */
#include "analyze/print/text_wrap.h"

#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "common/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST   12
#define TITLE_INDENT 4

/* Is the word at `word` a unit, which no line separates from its figure? */
static bool is_unit(const char *word)
{
	static const char *const units[] = {"%", "s", "ms",  "us",  "ns",  "min",
					    "h", "B", "KiB", "MiB", "GiB", "TiB",
					    "k", "M", "G",   "T",   "pts"};
	size_t length = strcspn(word, " ,;:.()");

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i]) == length && !strncmp(word, units[i], length))
			return true;
	return false;
}

static bool may_break_at(const char *text, const char *blank)
{
	return *blank == ' ' &&
	       !(blank > text && isdigit((unsigned char)blank[-1]) && is_unit(blank + 1));
}

/* Between the parts of a path, of a name of C++, of a list. */
static bool ends_part(char character)
{
	return character && strchr("/:,;=&|_-+>)", character);
}

/* Length of the next line of at most `room` columns: up to the last blank that fits; of a word that
 * is longer, up to the last part that fits in the second half of the line, or to its end. */
static size_t line_length(const char *text, unsigned room)
{
	size_t length = 0, blank = 0, part = 0;
	unsigned columns = 0;

	for (; text[length]; length += utf8_step(text + length)) {
		columns += utf8_columns(text + length);
		if (may_break_at(text, text + length))
			blank = length;
		if (columns > room)
			return blank ? blank : part ? part : length;
		if (ends_part(text[length]) && 2 * columns > room)
			part = length + 1;
	}
	return length;
}

/* The column where text begins has been reached already. */
static void print_lines(FILE *out, unsigned width, unsigned column, unsigned indent,
			const char *text)
{
	while (*text) {
		size_t length = line_length(text, width > column + ROOM_LEAST ? width - column
									      : ROOM_LEAST);

		size_t shown = length;

		while (shown && text[shown - 1] == ' ')
			shown--;
		fprintf(out, "%.*s\n", (int)shown, text);
		text += length;
		text += strspn(text, " ");
		column = indent;
		if (*text)
			fprintf(out, "%*s", (int)indent, "");
	}
}

void text_wrap(FILE *out, unsigned width, bool is_utf8, const char *first, const char *text)
{
	unsigned indent = text_columns(first);
	char *clean = text_fit(text, (unsigned)-1, is_utf8);

	if (*clean)
		fputs(first, out);
	print_lines(out, width, indent, indent, clean);
	free(clean);
}

void text_wrap_title(FILE *out, unsigned width, bool is_coloured, const char *name,
		     const char *defines)
{
	char *title = memory_print("@ %s:", name);

	fprintf(out, is_coloured ? "\033[1m%s\033[0m " : "%s ", title);
	print_lines(out, width, text_columns(title) + 1, TITLE_INDENT, defines);
	free(title);
}
