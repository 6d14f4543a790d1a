/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/die.h"

#include "analyze/base/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define STATUS_WRONG_USAGE 2

static void print_line(const char *format, va_list arguments)
{
	progress_erase();
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, arguments);
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
