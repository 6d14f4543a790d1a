/* SPDX-License-Identifier: MIT */
/* What the user of the screen has asked for, and what a page shows of it. Context: main thread;
 * what is read is read by live.h. */
#pragma once

#include "analyze/live/live.h"
#include "analyze/top/top_cursor.h"
#include "analyze/top/top_frame.h"

#define TOP_FILTER_MAX 40

enum top_page_kind { TOP_PAGE_FRAME, TOP_PAGE_DETAIL, TOP_PAGE_HELP };

struct top_state {
	struct live *live;
	const struct live_frame *frame; /* the one that is shown */
	struct live_detail *detail;     /* of the chosen thread, on its page; else NULL */
	struct top_view view;
	struct top_marks marks; /* of the page that was shown last */
	struct top_cursor cursor;
	enum top_page_kind page;
	char filter[TOP_FILTER_MAX + 1];
	char *message; /* until the next key; NULL: none */
	bool is_paused, is_typing, is_ended;
};

void top_state_begin(struct top_state *state, struct live *live, bool is_utf8);
void top_state_end(struct top_state *state);
/* The next frame. */
void top_state_take(struct top_state *state, const struct live_frame *frame);

/* The rows that can be chosen: threads, or processes in the tree; released by the caller. */
struct top_identity *top_state_rows(const struct top_state *state, size_t *count);
/* The section in which these rows are. */
enum top_section top_state_section(const struct top_state *state);
/* The chosen thread's row of the frame; NULL: nothing is chosen, or it is not there. */
const struct live_thread *top_state_thread(const struct top_state *state);

/* What keys ask for. */
void top_state_move(struct top_state *state, enum top_move move);
void top_state_sort(struct top_state *state, bool is_right);
void top_state_show_only(struct top_state *state, enum top_section section);
void top_state_switch_tree(struct top_state *state);
/* The chosen row in full: a thread's page, or the threads of a process. */
void top_state_open(struct top_state *state);
/* One step back: from a page, the filter, the threads of a process, the choice. */
void top_state_go_back(struct top_state *state);
void top_state_save(struct top_state *state);
