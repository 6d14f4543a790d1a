/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_page.h"

#include "analyze/base/memory.h"
#include "analyze/top/top_columns.h"
#include "analyze/top/top_detail.h"
#include "analyze/top/top_keys.h"
#include "analyze/top/top_threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a section that are no rows: its title, its columns, "and N more". */
#define FRAME_OF_SECTION 3

/* ---- how many rows */

/* Threads that are there, as long as others may be left out. */
#define THREADS_LEAST 5

static unsigned lines_of_threads(const struct top_view *view, const struct live_frame *frame)
{
	size_t count = top_count_rows(view, frame, TOP_THREADS);

	return (count < THREADS_LEAST ? (unsigned)count : THREADS_LEAST) + FRAME_OF_SECTION;
}

/* Rows for each section: some of the others have a few, threads get what is left over. */
static void share_rows(struct top_view *view, const struct live_frame *frame, unsigned lines)
{
	unsigned used = lines_of_threads(view, frame), of_others = lines / 8 > 2 ? lines / 8 : 2;

	for (enum top_section i = TOP_WAITS; i < TOP_SECTIONS; i++) {
		size_t count = top_count_rows(view, frame, i);
		unsigned rows = count < of_others ? (unsigned)count : of_others;

		view->rows[i] = 0;
		if (!rows || used + rows + FRAME_OF_SECTION > lines)
			continue;
		view->rows[i] = rows;
		used += rows + FRAME_OF_SECTION;
	}
	used -= lines_of_threads(view, frame);
	view->rows[TOP_THREADS] =
		lines > used + FRAME_OF_SECTION ? lines - used - FRAME_OF_SECTION : 1;
}

/* A section that has rows to choose from says below them how many more there are. */
static void give_rows(struct top_view *view, unsigned lines)
{
	bool is_chosen_from = view->only == TOP_THREADS || view->is_tree;
	unsigned frame = is_chosen_from ? FRAME_OF_SECTION : 0;

	for (enum top_section i = 0; i < TOP_SECTIONS; i++)
		view->rows[i] = 0;
	view->rows[view->only] = lines > frame ? lines - frame : 1;
}

static unsigned count_lines(const char *text, size_t size)
{
	unsigned lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

static unsigned lines_of_header(const struct top_state *state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return 0;
	top_print_header(out, &state->view, state->frame);
	fclose(out);
	unsigned lines = count_lines(text, size);

	free(text);
	return lines;
}

/* ---- the text */

static void settle(struct top_state *state)
{
	size_t count;
	struct top_identity *rows = top_state_rows(state, &count);

	top_cursor_settle(&state->cursor, rows, count);
	top_cursor_scroll(&state->cursor, count, state->view.rows[top_state_section(state)]);
	state->view.first = state->cursor.first;
	free(rows);
}

static void print_frame(FILE *out, struct top_state *state, unsigned lines)
{
	unsigned header = lines_of_header(state), left = lines > header ? lines - header : 1;

	if (state->view.only == TOP_SECTIONS)
		share_rows(&state->view, state->frame, left);
	else
		give_rows(&state->view, left);
	settle(state);
	top_print_header(out, &state->view, state->frame);
	top_print_sections(out, &state->view, state->frame);
}

static void print_page(FILE *out, struct top_state *state, unsigned lines)
{
	switch (state->page) {
	case TOP_PAGE_HELP:
		top_keys_print(out, &state->view);
		break;
	case TOP_PAGE_DETAIL:
		top_print_detail(out, &state->view, state->frame, top_state_thread(state),
				 state->detail, lines);
		break;
	default:
		print_frame(out, state, lines);
	}
}

/* ---- what stands out */

/* Without colours and bright letters it is seen all the same. */
static void point_at_choice(struct top_page *page)
{
	char *line = page->text;

	for (size_t i = 0; line && i < page->head + 1 + page->chosen; i++)
		line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
	if (line && *line == ' ')
		*line = '>';
}

static void mark_threads(struct top_page *page, const struct top_state *state)
{
	size_t count;
	const struct live_thread **threads = top_threads_of(&state->view, state->frame, &count);

	page->threads = memory_allocate(page->rows + 1, sizeof(struct live_thread *));
	for (size_t i = 0; i < page->rows && state->view.first + i < count; i++)
		page->threads[i] = threads[state->view.first + i];
	free(threads);
	page->state = state->marks.columns[TOP_STATE];
	page->order = state->marks.columns[state->view.order];
}

static void mark(struct top_page *page, const struct top_state *state)
{
	const struct top_marks *marks = &state->marks;

	if (state->page != TOP_PAGE_FRAME || marks->table_at < 0)
		return;
	page->head = count_lines(page->text, (size_t)marks->table_at);
	page->rows = page->chosen = marks->rows;
	if (!state->view.is_tree)
		mark_threads(page, state);
	if (!state->cursor.is_set || state->cursor.at < state->view.first ||
	    state->cursor.at - state->view.first >= page->rows)
		return;
	page->chosen = state->cursor.at - state->view.first;
	point_at_choice(page);
}

void top_page_make(struct top_page *page, struct top_state *state, unsigned columns, unsigned lines)
{
	size_t size = 0;

	*page = (struct top_page){0};
	state->view.width = columns;
	if (state->page == TOP_PAGE_FRAME)
		state->marks = (struct top_marks){.table_at = -1};
	FILE *out = open_memstream(&page->text, &size);

	if (!out)
		return;
	print_page(out, state, lines);
	fclose(out);
	mark(page, state);
}

void top_page_clear(struct top_page *page)
{
	free(page->text);
	free(page->threads);
}

/* ---- the last line */

static const char *activity_of(const struct top_state *state)
{
	if (state->frame->is_over)
		return "ended";
	return state->is_paused ? "paused" : "running";
}

char *top_page_status(const struct top_state *state)
{
	const char *filter = state->filter;
	char process[40] = "";

	if (state->is_typing)
		return memory_print("/%s", filter);
	if (state->message)
		return memory_copy_text(state->message);
	if (state->view.pid)
		snprintf(process, sizeof process, "  of process %" PRIu64, state->view.pid);
	return memory_print("%s  by %s%s%s%s  h help  q quit", activity_of(state),
			    top_column_title(state->view.order), process, *filter ? "  /" : "",
			    filter);
}
