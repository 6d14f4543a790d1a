/* SPDX-License-Identifier: MIT */
/* Paragraphs of text within a width, and the titles of sections. Context: pure but for `out`. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* `first` precedes the first line, as many blanks the other lines. A unit stays with its figure; a
 * word that is longer than a line is broken, where it has parts between two of them. Names in the
 * text come from programs: see text_fit. */
void text_wrap(FILE *out, unsigned width, bool is_utf8, const char *first, const char *text);

/* The first line of a section: "@ name: what its columns mean", the name in bold on terminals that
 * are to show colours. */
void text_wrap_title(FILE *out, unsigned width, bool is_coloured, const char *name,
		     const char *defines);
