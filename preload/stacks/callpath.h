/* SPDX-License-Identifier: MIT */
/* The calling-context tree: every call stack that was ever recorded, each shared beginning kept
 * once.
 *
 * Context: any thread, signal handlers; lock-free, only grows. A number is a row of the table
 * `callpaths`; 0 is no path. When the table is full, a further stack is charged to its innermost
 * routine, whose callers then are not known; where there is no room for that either, to its deepest
 * place that is known. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"
#include "preload/stacks/unwind.h"

/* The row of a stack. */
uint32_t callpath_of(const struct unwind_path *path);

/* The row of a stack's innermost routine, its callers unknown; 0: there is none, or no room. */
uint32_t callpath_routine(const struct unwind_path *path);

/* The row of the calling place; 0: it is the outermost. */
uint32_t callpath_parent(uint32_t number);

/* The row of a single place in the code, without its callers. */
uint32_t callpath_place(uint64_t place);

/* The row where a thread's stacks begin: its start routine. */
uint32_t callpath_start(uint64_t routine);

/* The row of a mark: something that stands in the place of a path. */
uint32_t callpath_mark(enum callpath_mark mark);

bool callpath_is_full(void);

/* Start-up and fork child. */
void callpath_reset(void);
