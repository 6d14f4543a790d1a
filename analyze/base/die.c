/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/die.h"

#include "analyze/base/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define STATUS_WRONG_USAGE 2

/* Messages repeat what users typed and what files are called: neither may move what a terminal
 * shows, or begin a line of its own. The controls are C0, DEL, and C1 as UTF-8 has them. */
static void print_visible(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	for (; *at; at++) {
		bool is_c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;

		if (*at < 0x20 || *at == 0x7f)
			fprintf(stderr, "\\x%02x", *at);
		else if (is_c1)
			fprintf(stderr, "\\x%02x", *++at);
		else
			fputc(*at, stderr);
	}
}

static void print_line(const char *format, va_list arguments)
{
	char *text = NULL;

	progress_erase();
	fprintf(stderr, "%s: ", program_invocation_short_name);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	print_visible(text ? text : format);
	free(text);
	fputc('\n', stderr);
}

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line(format, arguments);
	va_end(arguments);
	exit(STATUS_WRONG_USAGE);
}

void warn_line(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line(format, arguments);
	va_end(arguments);
}
