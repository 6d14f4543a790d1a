/* SPDX-License-Identifier: MIT */
/* The figures of analyze/base/quantity.h as texts of their own, with a mark for the grade; and
 * texts cut to a width.
 *
 * Context: pure. All results are released by the caller. Marks: "~" estimated, "±" sampled ("+-"
 * without UTF-8). */
#pragma once

#include "analyze/model/common/grade.h"

#include <stdbool.h>
#include <stdint.h>

char *text_seconds(double ns);
char *text_percent(double percent);
char *text_number(double number);
char *text_count(uint64_t count);
char *text_rank(uint64_t rank);                                  /* "" for UINT64_MAX: none */
char *text_size(uint64_t bytes);                                 /* "" for none */
char *text_graded(char *figure, enum grade grade, bool is_utf8); /* takes ownership of figure */

/* "exact", "sampled", "estimated", NULL. */
const char *text_grade(enum grade grade);

/* A bar of `cells` places for a share between 0 and 1; eighths of a place with UTF-8. */
char *text_bar(double share, unsigned cells, bool is_utf8);

/* A place for each value, between 0 and `full`, which is the tallest sign; larger values are, too.
 * Values above 0 are told from 0. */
char *text_bars(const double *values, unsigned count, double full, bool is_utf8);

/* A C++ name without what stands between angle brackets: "std::vector<..>::push_back". */
char *text_without_templates(const char *name);

/* Source with blanks in place of tabs, up to the next multiple of 4. */
char *text_without_tabs(const char *text);

/* Columns on a terminal: wide characters count as two, combining ones as none. */
unsigned text_columns(const char *text);
/* The same text in at most `columns`, its end replaced by an ellipsis, or what is before the line of
 * a place, or before the last name of a path; control characters become "?", and without UTF-8
 * whatever is not ASCII as well: names come from programs that may be hostile to terminals. */
char *text_fit(const char *text, unsigned columns, bool is_utf8);
