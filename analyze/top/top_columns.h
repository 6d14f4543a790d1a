/* SPDX-License-Identifier: MIT */
/* The columns of the table of threads: what is in them, and how rows are ordered by them. Context:
 * pure. */
#pragma once

#include "analyze/top/top_frame.h"

/* A thread's row, with what else its cells depend on. */
struct top_row {
	const struct top_view *view;
	const struct live_frame *frame;
	const struct live_thread *thread;
	bool is_cramped; /* no room for names of holders */
};

/* The heads of all columns. */
void top_columns_heads(struct text_column heads[TOP_COLUMNS]);
/* "CPU": what is said of an order. */
const char *top_column_title(enum top_column column);
/* Released by the caller; "" where the view has no such column. */
char *top_column_text(enum top_column column, const struct top_row *row);
/* Numbers from the largest, texts from A. */
int top_column_compare(enum top_column column, const struct live_thread *a,
		       const struct live_thread *b);
bool top_column_is_sortable(enum top_column column);
/* Are numbers of it sorted, so that the largest is first? */
bool top_column_is_falling(enum top_column column);

const char *top_state_name(enum live_state state);
/* Does the view have the columns of rates, and of the last minute? Those of what is waited for? */
bool top_has_rates(const struct top_view *view);
bool top_has_waits(const struct top_view *view);
