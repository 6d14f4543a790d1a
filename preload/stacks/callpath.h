/* SPDX-License-Identifier: MIT */
/* The calling-context tree: every call stack that was recorded, with common outer parts kept once.
 *
 * The words that all rooms use for code:
 *   place   an address in code as a call stack has it: a return address, or, with UNWIND_EXACT, an
 *           instruction itself: the one that was interrupted, or a routine's first
 *           Of Python code there is no address: it is a row of the table `python_code` and a line
 *   path    a call path: a place with all its callers. Passed on as the number of its row in the
 *           table `callpaths`; 0: none. A path of one place without callers is a single place
 *   caller  the return address of a wrapped call: the place that made it
 *   site    the caller with its registers: where a walk to the path of the call begins (site.h)
 *   birth   of an object: the single place where it was initialised, or else first used
 *
 * Context: any thread, signal handlers; lock-free, only grows. When the table is full, a further
 * stack is charged to its innermost routine, with unknown callers; if there is no room for that
 * either, to the part of the stack that is in the tree. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"
#include "preload/stacks/unwind.h"

/* The bits that no address has all of: the place is one of Python code. */
#define CALLPATH_PYTHON_BITS (UINT64_C(0xffff) << 48)

enum { CALLPATH_LINE_BITS = 24 };

/* The place of a line in Python code. row, of python_code: 0: one for which there was no room. */
static inline uint64_t callpath_python(uint64_t row, uint64_t line)
{
	return CALLPATH_PYTHON_BITS | row << CALLPATH_LINE_BITS | line;
}

static inline bool callpath_is_python(uint64_t place)
{
	return place >= CALLPATH_PYTHON_BITS;
}

/* The row of a stack, which begins at the row `root`; 0: at the top. */
uint32_t callpath_of(const struct unwind_path *path, uint32_t root);

/* The row of the mark of a section, below another row; 0: at the top. 0: no room. */
uint32_t callpath_section(uint32_t above, uint32_t section);

/* The row of a stack's innermost routine, with unknown callers; 0: the stack is empty, or no
 * room. */
uint32_t callpath_routine(const struct unwind_path *path);

/* The row of the calling place; 0: this is the outermost. */
uint32_t callpath_parent(uint32_t number);

/* The row of a single place in the code, without its callers. */
uint32_t callpath_place(uint64_t place);

/* The row where a thread's stacks begin: its start routine. */
uint32_t callpath_start(uint64_t routine);

/* The row where the routine begins that has a call which returns to `place`; of `place` if that is
 * not known. */
uint32_t callpath_start_around(uint64_t place);

/* The row of a mark: something that replaces a path. */
uint32_t callpath_mark(enum callpath_mark mark);

bool callpath_is_full(void);

/* Start-up and fork child. */
void callpath_reset(void);
