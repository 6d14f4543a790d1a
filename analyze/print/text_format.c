/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/print/text_format.h"

#include "analyze/base/memory.h"
#include "analyze/base/plain_name.h"
#include "analyze/base/quantity.h"
#include "analyze/print/misleading_text.h"
#include "common/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

char *text_seconds(double ns)
{
	return memory_copy_text(quantity_seconds(ns).text);
}

char *text_percent(double percent)
{
	return memory_copy_text(quantity_percent(percent).text);
}

char *text_number(double number)
{
	return memory_copy_text(quantity_number(number).text);
}

char *text_count(uint64_t count)
{
	return memory_print("%llu", (unsigned long long)count);
}

char *text_rank(uint64_t rank)
{
	return rank == UINT64_MAX ? memory_copy_text("") : text_count(rank);
}

char *text_size(uint64_t bytes)
{
	return memory_copy_text(bytes ? quantity_size(bytes).text : "");
}

char *text_graded(char *figure, enum grade grade, bool is_utf8)
{
	const char *mark = grade == GRADE_SAMPLED     ? (is_utf8 ? "±" : "+-")
			   : grade == GRADE_ESTIMATED ? "~"
						      : "";
	char *marked;

	if (!*mark || !strcmp(figure, "?"))
		return figure;
	marked = memory_print("%s%s", mark, figure);
	free(figure);
	return marked;
}

const char *text_grade(enum grade grade)
{
	static const char *const texts[] = {"exact", "sampled", "estimated", NULL};

	return texts[grade];
}

char *text_bar(double share, unsigned cells, bool is_utf8)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	double places = isfinite(share) && share > 0 ? fmin(share, 1) * cells : 0;
	unsigned whole = is_utf8 ? (unsigned)places : (unsigned)(places + 0.5);
	char *bar = memory_allocate(cells + 2, strlen("█"));

	for (unsigned i = 0; i < whole; i++)
		strcat(bar, is_utf8 ? "█" : "#");
	if (is_utf8)
		strcat(bar, eighths[(unsigned)((places - whole) * 8)]);
	return bar;
}

char *text_bars(const double *values, unsigned count, double full, bool is_utf8)
{
	static const char *const eighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const signs[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
	char *bars = memory_allocate(count + 1, strlen("█"));

	for (unsigned i = 0; i < count; i++) {
		double eighth = full > 0 && values[i] > 0 ? fmin(values[i] / full, 1) * 8 : 0;
		unsigned level = eighth > 0 && eighth < 1 ? 1 : (unsigned)(eighth + 0.5);

		strcat(bars, (is_utf8 ? eighths : signs)[level]);
	}
	return bars;
}

char *text_without_templates(const char *name)
{
	return plain_name(name, "..");
}

char *text_without_tabs(const char *text)
{
	enum { TAB = 4 };
	char *plain = memory_allocate(strlen(text) * TAB + 1, 1);
	size_t column = 0;

	for (; *text; text++)
		do
			plain[column++] = *text == '\t' ? ' ' : *text;
		while (*text == '\t' && column % TAB);
	return plain;
}

unsigned text_columns(const char *text)
{
	unsigned columns = 0;

	for (; *text; text += utf8_step(text))
		columns += utf8_columns(text);
	return columns;
}

/* bytes: of the character; 0: it is none. */
static bool is_harmless(const char *character, size_t bytes, bool is_utf8)
{
	if (!bytes || (unsigned char)*character < 0x20 || *character == 0x7f)
		return false;
	return bytes == 1 || (is_utf8 && !text_is_misleading(character));
}

enum { TOLD_BEFORE = 4 }; /* columns of the text before it */

/* ":12" or ":12)" at the end; NULL: there is none. */
static const char *line_at_end(const char *text)
{
	const char *end = text + strlen(text), *at = end;

	at -= at > text && at[-1] == ')';
	while (at > text && isdigit((unsigned char)at[-1]))
		at--;
	return at > text && at[-1] == ':' && isdigit((unsigned char)*at) ? at - 1 : NULL;
}

/* The last name of a path, "/a.run", or as much of its end as fits beside what is told before;
 * NULL: it is no path. Names of routines and commands may have a slash as well. */
static const char *name_at_end(const char *text, unsigned room)
{
	const char *end = strpbrk(text, " (<") ? NULL : strrchr(text, '/');

	while (end && *end && text_columns(end) + TOLD_BEFORE > room)
		end += utf8_step(end);
	return end && *end ? end : NULL;
}

/* The end of a name that alone distinguishes routines of a stripped library, "libx.so.1+0x1234",
 * the line of a place, "lock.c:65", and what a path leads to. NULL: there is none, or nothing else
 * would fit. */
static const char *telling_end(const char *text, unsigned room)
{
	const char *end = strstr(text, "+0x");

	if (!end)
		end = line_at_end(text);
	if (!end)
		end = name_at_end(text, room);
	return end && text_columns(end) + TOLD_BEFORE <= room ? end : NULL;
}

/* Copies at most so many columns, and what is drawn into the last one; returns the end of the
 * copy. */
static char *copy_columns(char *to, const char *text, unsigned columns, bool is_utf8)
{
	for (unsigned used = 0; *text; used += utf8_columns(text), text += utf8_step(text)) {
		size_t bytes = utf8_bytes(text);

		if (used + utf8_columns(text) > columns)
			break;
		if (is_harmless(text, bytes, is_utf8))
			to = mempcpy(to, text, bytes);
		else
			*to++ = '?';
	}
	*to = 0;
	return to;
}

char *text_fit(const char *text, unsigned columns, bool is_utf8)
{
	const char *ellipsis = is_utf8 ? "…" : "...";
	unsigned dots = text_columns(ellipsis);
	char *fitted = memory_allocate(strlen(text) + strlen(ellipsis) + 1, 1);

	if (text_columns(text) <= columns) {
		copy_columns(fitted, text, columns, is_utf8);
		return fitted;
	}
	if (columns < dots) { /* not even dots fit */
		memset(fitted, '.', columns);
		return fitted;
	}
	unsigned room = columns - dots;
	const char *end = telling_end(text, room);
	char *to = copy_columns(fitted, text, room - (end ? text_columns(end) : 0), is_utf8);

	to = stpcpy(to, ellipsis);
	if (end)
		copy_columns(to, end, room, is_utf8);
	return fitted;
}
