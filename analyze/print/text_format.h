/* SPDX-License-Identifier: MIT */
/* Figures as readers like them: three digits and a unit, a mark for the grade, "?" for the unknown.
 *
 * Context: pure. All results are released by the caller. Marks: "~" estimated, "±" sampled ("+-"
 * without UTF-8). */
#pragma once

#include "analyze/model/common/grade.h"

#include <stdbool.h>
#include <stdint.h>

char *text_seconds(double ns);      /* "1.23 s", "45.6 ms", "789 us", "12 ns" */
char *text_percent(double percent); /* "48 %", "4.8 %" */
char *text_number(double number);   /* "1.43" */
char *text_count(uint64_t count);
char *text_rank(uint64_t rank);  /* "" for UINT64_MAX: none */
char *text_size(uint64_t bytes); /* "512 B", "1.50 KiB", "12.3 MiB"; "" for none */
char *text_graded(char *figure, enum grade grade, bool is_utf8); /* takes ownership of figure */

/* "exact", "sampled", "estimated", NULL. */
const char *text_grade(enum grade grade);

/* A bar of `cells` characters for a fraction between 0 and 1; with UTF-8 to an eighth of a
 * character. */
char *text_bar(double share, unsigned cells, bool is_utf8);

/* A C++ name without its template arguments: "std::vector<..>::push_back". */
char *text_without_templates(const char *name);

/* Columns on a terminal; the text is UTF-8, each character counts as one. */
unsigned text_columns(const char *text);
/* The text in at most `columns`, its end replaced by an ellipsis. Control characters become "?",
 * and without UTF-8 everything that is not ASCII as well: names come from programs that may try to
 * attack a terminal. */
char *text_fit(const char *text, unsigned columns, bool is_utf8);
