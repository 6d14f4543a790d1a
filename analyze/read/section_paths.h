/* SPDX-License-Identifier: MIT */
/* Call paths without the marks of sections.
 *
 * The outermost rows of a call path may be no code, but say in which phase and in which section of
 * the program what is below was recorded (vocabulary.h, MARK_SECTIONS). Everybody who reads paths
 * wants the code, and the same path inside and outside of a section is one path. So it is done here
 * once, before any table is read: in the bytes of the file, marks and what else occurs twice
 * without them become empty rows of callpaths, and every column of every table that refers to a
 * call path refers to the plain one: the first row with the same code and the same plain caller.
 * That row may have had marks itself; it has none afterwards.
 *
 * A file without sections is left as it is, at the cost of looking for their table. Context: pure.
 */
#pragma once

#include "analyze/tables/table_read.h"

struct section_paths;

/* Of what was recorded: the thread's innermost section and the phase, rows of `sections`. 0: none.
 */
struct section_place {
	uint32_t section, phase;
};

/* NULL: the file has no sections, or no call paths. */
struct section_paths *section_paths_of(const struct table_file *file);
void section_paths_destroy(struct section_paths *paths);

/* callpath: an index (table_row_index), as long as the file is as it was; results are indices. */
struct section_place section_paths_place(const struct section_paths *paths, size_t callpath);
size_t section_paths_plain(const struct section_paths *paths, size_t callpath);

/* In place of a call path: the row is left out. */
#define SECTION_PATHS_LEFT_OUT UINT32_MAX

/* Says so of the rows of a table that are in none of these sections (by index), before the file is
 * changed otherwise. */
void section_paths_leave_out(const struct section_paths *paths, const struct table *table,
			     const bool *inside);

/* Changes the file. */
void section_paths_apply(const struct section_paths *paths, struct table_file *file);
