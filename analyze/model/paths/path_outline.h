/* SPDX-License-Identifier: MIT */
/* A calling-context tree as an outline: its rows from top to bottom, callers above what they call.
 *
 * Rows are of one measure (path_layout.h) by call path, lines folded, of all processes and threads.
 * The first row is the whole; its children are where threads start. A routine that calls nothing
 * but itself is one row for all its levels. For each row, to the nanosecond:
 *
 *   total_ns = self_ns + total_ns of its children that are rows + folded_ns
 *
 * Context: pure. The tree and the names must outlive it. */
#pragma once

#include "analyze/model/paths/path_layout.h"

#define PATH_OUTLINE_LEAST 0.005
#define PATH_OUTLINE_ROWS  (1u << 14)

struct path_row {
	size_t parent;   /* index of a row before it; of the first its own */
	size_t routine;  /* number in names */
	unsigned depth;  /* in rows; of the first 0 */
	unsigned levels; /* of recursion that the row stands for; 1: none */
	bool is_last;    /* of its parent's rows */
	bool is_only;    /* its parent has no other row, and folded less than a row has */
	bool is_again;   /* recursion: the same routine is one of the rows above it */
	bool is_inferred;
	uint64_t total_ns, self_ns;
	uint64_t folded_ns;  /* below it, in what has no row */
	size_t folded_count; /* direct calls of it that have no row */
};

struct path_outline {
	struct path_row *rows;
	size_t count;    /* 0: nothing was measured */
	double least;    /* share of the whole below which there is no row */
	size_t folded;   /* call paths with time and without a row */
	bool is_bounded; /* some are missing for their depth (PATH_LAYOUT_DEPTH), whatever they took
			  */
};

/* ends: so many rows at most have no row below them: `least` is raised until they suffice. 0: every
 * call path has a row, as far as PATH_OUTLINE_ROWS suffice. */
struct path_outline path_outline_of(const struct path_tree *tree, const struct names *names,
				    enum path_measure measure, size_t ends);
/* Is what the row has folded as much as a row has at least? */
bool path_outline_tells_folded(const struct path_outline *outline, size_t row);
void path_outline_clear(struct path_outline *outline);
