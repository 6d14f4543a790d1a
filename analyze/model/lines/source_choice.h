/* SPDX-License-Identifier: MIT */
/* Whose source is worth showing: the routines of the program, those with the most time first.
 *
 * A routine's time is what was spent in its lines (source_line_spent_ns) and the waits of others
 * that they caused. Routines of runtimes, those without a known file, and those without any time
 * are not among them. Context: pure. */
#pragma once

#include "analyze/model/lines/source_lines.h"

/* Numbers of routines; released by the caller. */
size_t *source_choice_of(const struct run *run, const struct source_lines *lines, size_t *count);
