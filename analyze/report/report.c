/* SPDX-License-Identifier: MIT */
#include "analyze/report/report.h"

#include "analyze/memory.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>
#include <string.h>

size_t report_rows(const struct report *report, size_t count)
{
	return report->top && report->top < count ? report->top : count;
}

void report_print_rest(const struct report *report, size_t count)
{
	report_print_more(report, count - report_rows(report, count));
}

void report_print_more(const struct report *report, size_t count)
{
	if (count)
		fprintf(report->out, "  ... and %zu more (--top 0 shows all)\n", count);
}

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

void report_print_wrapped(const struct report *report, const char *first, const char *text)
{
	unsigned indent = text_columns(first);
	unsigned room = report->width > indent + 20 ? report->width - indent : 20;
	char *clean = text_fit(text, (unsigned)strlen(text), report->is_utf8);

	for (const char *at = clean; *at;) {
		size_t length = line_length(at, room);

		if (at == clean)
			fputs(first, report->out);
		else
			fprintf(report->out, "%*s", (int)indent, "");
		fprintf(report->out, "%.*s\n", (int)length, at);
		at += length;
		at += strspn(at, " ");
	}
	free(clean);
}

char *report_graded_seconds(const struct report *report, double ns, enum grade grade)
{
	return text_graded(text_seconds(ns), grade, report->is_utf8);
}

char *report_place(const struct report *report, size_t routine, unsigned line)
{
	return names_place_text(report->run->names, routine, line);
}

const char *report_grade_text(enum grade grade)
{
	static const char *const texts[] = {"exact", "sampled", "estimated", NULL};

	return texts[grade];
}
