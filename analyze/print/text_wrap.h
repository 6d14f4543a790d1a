/* SPDX-License-Identifier: MIT */
/* A paragraph of text within a width. Context: pure but for `out`. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* `first` precedes the first line, as many blanks the other lines. A percent sign stays with its
 * figure; a word that is longer than a line is not broken. Names in the text come from programs:
 * see text_fit. */
void text_wrap(FILE *out, unsigned width, bool is_utf8, const char *first, const char *text);
