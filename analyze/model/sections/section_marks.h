/* SPDX-License-Identifier: MIT */
/* Values at points of the code (ptrace_mark), by name. A row of a profile is a thread's: the first
 * and the last value of all threads are those of the earliest and the latest instant. Context:
 * pure.
 */
#pragma once

#include "analyze/base/keyed_table.h"
#include "analyze/model/sections/sections.h"

/* Of struct merged_marks. */
struct keyed_table *section_marks_create(void);
/* name: kept by the names. */
void section_marks_add(struct keyed_table *marks, const char *name, const struct profile *profile,
		       size_t row);
/* A row of another run. */
void section_marks_unite(struct keyed_table *marks, const struct merged_marks *row);
void section_marks_finish(const struct keyed_table *marks, struct sections *sections);
