/* SPDX-License-Identifier: MIT */
#include "analyze/print/output.h"

#include "analyze/base/die.h"

#include <errno.h>
#include <string.h>

FILE *output_open(const char *path)
{
	FILE *out = path ? fopen(path, "we") : stdout;

	if (!out)
		die("cannot write %s: %s", path, strerror(errno));
	return out;
}

void output_close(FILE *out, const char *path)
{
	if (fflush(out) || ferror(out) || (path && fclose(out)))
		die("cannot write %s: %s", path ? path : "standard output", strerror(errno));
}
