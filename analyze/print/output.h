/* SPDX-License-Identifier: MIT */
/* Where a program writes its result: the file of -o, or standard output. */
#pragma once

#include <stdio.h>

/* path: NULL for standard output. Ends the program with a line and status 2 if it cannot be
 * written. */
FILE *output_open(const char *path);
/* Columns of the text there: those asked for or, if that is 0, of the environment variable COLUMNS,
 * or of the terminal that `out` is, but at least OPTION_WIDTH_MIN; 80 where it is none. */
unsigned output_columns(FILE *out, unsigned asked);
/* Ends the program in the same way if anything could not be written: a result that was cut off by a
 * full disk must not look like a success. */
void output_close(FILE *out, const char *path);
