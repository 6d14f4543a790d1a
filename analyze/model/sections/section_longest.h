/* SPDX-License-Identifier: MIT */
/* The longest intervals of each section, and which of them are far longer than the shortest.
 *
 * A thread's profile has its longest ones, and no more than SECTION_INTERVALS_MAX of a section are
 * kept of a run: what is not kept is no longer than a bound that is kept as well (unlisted_ns), so
 * that it is known whether all long ones are counted. Context: pure. */
#pragma once

#include "analyze/model/sections/sections.h"

enum { SECTION_INTERVALS_MAX = 64 };

struct section_longest_list;

struct section_longest_list *section_longest_create(void);
void section_longest_destroy(struct section_longest_list *list);

/* Keeps it, if it is one of the longest of its section. Returns the length of what is not kept, if
 * anything was left out for it; 0: nothing was. */
uint64_t section_longest_add(struct section_longest_list *list,
			     const struct merged_section_longest *row);
void section_longest_write(const struct section_longest_list *list, struct merged_writer *writer);

/* Sets intervals and anomalies of the result. numbers: the row of the result for each number of the
 * accumulator; SIZE_MAX: none. */
void section_longest_finish(const struct section_longest_list *list, const size_t *numbers,
			    struct sections *sections);
