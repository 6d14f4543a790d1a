/* SPDX-License-Identifier: MIT */
/* A page of the screen as lines of text, with what stands out on a terminal. Context: pure. */
#pragma once

#include "analyze/top/top_state.h"

struct top_page {
	char *text; /* lines, each with its end */
	/* The table of rows that can be chosen; rows 0: there is none on this page. */
	unsigned head; /* line of its titles; the rows follow */
	size_t rows;
	size_t chosen;                      /* row; rows: none is chosen */
	const struct live_thread **threads; /* of each row; NULL: rows are no threads */
	struct text_span state, order;      /* columns of states, and of the order */
};

/* As many lines as there are, or fewer. Also finds the choice among the rows as they are now, and
 * scrolls to it. */
void top_page_make(struct top_page *page, struct top_state *state, unsigned columns,
		   unsigned lines);
void top_page_clear(struct top_page *page);
/* The last line of the screen; released by the caller. */
char *top_page_status(const struct top_state *state);
