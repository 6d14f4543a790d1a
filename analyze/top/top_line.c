/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_line.h"

#include "analyze/print/text_format.h"

#include <stdarg.h>
#include <stdlib.h>

void top_print_line(FILE *out, const struct top_view *view, const char *format, ...)
{
	va_list arguments;
	char *line = NULL;

	va_start(arguments, format);
	if (vasprintf(&line, format, arguments) < 0)
		line = NULL;
	va_end(arguments);
	char *fitted = text_fit(line ? line : "", view->width, view->is_utf8);

	fprintf(out, "%s\n", fitted);
	free(fitted);
	free(line);
}
