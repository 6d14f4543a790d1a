/* SPDX-License-Identifier: MIT */
/* The names of sections as rows of the table sections: a tree.
 *
 * Context: any thread, signal handlers; lock-free, only grows. Names are the program's: they are
 * copied, at most SECTION_NAME_BYTES - 1 bytes of them, and those that agree so far are the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"

/* The section of that kind and name within another one (0: none), made if need be. Beyond
 * SECTION_NAMES it is [other]; 0: there is no room in the file. */
uint32_t section_number(enum section_kind kind, uint32_t parent, const char *name);

/* Is that its name? Of a number that section_number gave. */
bool section_has_name(uint32_t section, const char *name);

/* Is it the one of names that have none of their own? */
bool section_is_other(uint32_t section);

/* Names that have no section of their own are told from each other by it; never 0. */
uint64_t section_name_sum(const char *name);

/* Start-up and fork child. */
void section_names_reset(void);
