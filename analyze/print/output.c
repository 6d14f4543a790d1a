/* SPDX-License-Identifier: MIT */
#include "analyze/print/output.h"

#include "analyze/base/die.h"
#include "common/command_line.h"
#include "common/whole_number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define COLUMNS_WITHOUT_TERMINAL 80

FILE *output_open(const char *path)
{
	FILE *out = path ? fopen(path, "we") : stdout;

	if (!out)
		die("cannot write %s: %s", path, strerror(errno));
	return out;
}

static unsigned columns_of_environment(void)
{
	const char *text = getenv("COLUMNS");
	long columns;

	return text && whole_number_read(text, 0, OPTION_WIDTH_MAX, &columns) ? (unsigned)columns
									      : 0;
}

unsigned output_columns(FILE *out, unsigned asked)
{
	struct winsize size = {.ws_col = 0};
	unsigned columns = columns_of_environment();

	if (asked)
		return asked;
	if (!columns && !ioctl(fileno(out), TIOCGWINSZ, &size))
		columns = size.ws_col;
	if (!columns)
		return COLUMNS_WITHOUT_TERMINAL;
	return columns > OPTION_WIDTH_MIN ? columns : OPTION_WIDTH_MIN;
}

void output_close(FILE *out, const char *path)
{
	if (fflush(out) || ferror(out) || (path && fclose(out)))
		die("cannot write %s: %s", path ? path : "standard output", strerror(errno));
}
