/* SPDX-License-Identifier: MIT */
/* Which row is chosen, and which rows fit on the screen. A choice is of what a row stands for: it
 * stays with it when rows move, and goes to the row in its place when it is gone. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a row stands for: a thread by its number, a process by its begin. */
struct top_identity {
	uint64_t pid, id;
};

struct top_cursor {
	bool is_set; /* false: nothing is chosen */
	struct top_identity chosen;
	size_t at;    /* its row */
	size_t first; /* row that is shown first */
};

enum top_move { TOP_UP, TOP_DOWN, TOP_PAGE_UP, TOP_PAGE_DOWN, TOP_HOME, TOP_END, TOP_MOVES };

/* Finds the choice among the rows as they are now. */
void top_cursor_settle(struct top_cursor *cursor, const struct top_identity *rows, size_t count);
/* page: rows that fit. Without a choice the first, or by TOP_END the last row is chosen. */
void top_cursor_move(struct top_cursor *cursor, enum top_move move, const struct top_identity *rows,
		     size_t count, size_t page);
/* Scrolls until the choice is among the rows that are shown; without one, back to the first. */
void top_cursor_scroll(struct top_cursor *cursor, size_t count, size_t page);
