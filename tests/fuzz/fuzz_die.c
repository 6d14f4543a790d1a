/* SPDX-License-Identifier: MIT */
/* Replaces analyze/base/die.c: code that only computes and prints has no reason to give up, however
 * damaged its input is. Warnings are ignored. */
#include "analyze/base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs(": the analyzer gave up\n", stderr);
	abort();
}

void warn_line(const char *format, ...)
{
	(void)format;
}
