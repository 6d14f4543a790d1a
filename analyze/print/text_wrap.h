/* SPDX-License-Identifier: MIT */
/* A paragraph of text within a width. Context: pure but for `out`. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* `first` in front of its first line, as many blanks in front of the others. A figure keeps its
 * percent sign; a word that is longer than a line stands as a whole. Names in the text come from
 * programs: see text_fit. */
void text_wrap(FILE *out, unsigned width, bool is_utf8, const char *first, const char *text);
