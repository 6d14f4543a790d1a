/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_threads.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/top/top_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool top_passes(const struct top_view *view, const char *const *texts, size_t count)
{
	if (!view->filter || !*view->filter)
		return true;
	for (size_t i = 0; i < count; i++)
		if (texts[i] && strcasestr(texts[i], view->filter))
			return true;
	return false;
}

void top_print_more(FILE *out, size_t count, size_t shown, size_t above)
{
	if (count <= shown)
		return;
	if (above)
		fprintf(out, "  and %zu more, %zu of them above\n", count - shown, above);
	else
		fprintf(out, "  and %zu more\n", count - shown);
}

void top_mark_table(FILE *out, const struct top_view *view, size_t rows)
{
	if (!view->marks)
		return;
	view->marks->table_at = ftell(out);
	view->marks->rows = rows;
}

/* ---- which rows, in which order */

/* Threads that are alike keep their places from frame to frame. */
static int compare_threads(const void *left, const void *right, void *order)
{
	const struct live_thread *a = *(const struct live_thread *const *)left;
	const struct live_thread *b = *(const struct live_thread *const *)right;
	int by_order = top_column_compare(*(const enum top_column *)order, a, b);

	if (by_order)
		return by_order;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static bool is_shown(const struct top_view *view, const struct live_thread *thread)
{
	char tid[24];
	const char *texts[] = {thread->name,
			       top_state_name(thread->state),
			       thread->object,
			       thread->place,
			       thread->cause ? vocabulary_cause(thread->cause) : NULL,
			       tid};

	if (view->pid && thread->pid != view->pid)
		return false;
	snprintf(tid, sizeof tid, "%" PRIu64, thread->tid);
	return top_passes(view, texts, sizeof texts / sizeof *texts);
}

const struct live_thread **top_threads_of(const struct top_view *view,
					  const struct live_frame *frame, size_t *count)
{
	const struct live_thread **rows =
		memory_allocate(frame->thread_rows + 1, sizeof(struct live_thread *));
	enum top_column order = view->order;

	*count = 0;
	for (size_t i = 0; i < frame->thread_rows; i++)
		if (is_shown(view, &frame->threads[i]))
			rows[(*count)++] = &frame->threads[i];
	qsort_r(rows, *count, sizeof *rows, compare_threads, &order);
	return rows;
}

/* ---- the table */

/* A usual terminal has no room for all columns beside that of holders: the holder is then a number,
 * whose name stands in its own row, and ready time is left out. */
#define CRAMPED 96

static bool is_cramped(const struct top_view *view, const struct live_thread *const *rows,
		       size_t count)
{
	for (size_t i = 0; i < count && view->width < CRAMPED; i++)
		if (rows[i]->holder_tid || rows[i]->is_holder_refused)
			return true;
	return false;
}

/* The title of the column by which rows are sorted has an arrow. */
static char *mark_order(const struct top_view *view, struct text_column heads[TOP_COLUMNS])
{
	bool is_falling = top_column_is_falling(view->order);
	const char *arrow = view->is_utf8 ? is_falling ? "↓" : "↑" : is_falling ? "v" : "^";
	char *title = memory_print("%s%s", heads[view->order].title, arrow);

	if (view->is_order_shown)
		heads[view->order].title = title;
	return title;
}

static void mark_columns(const struct top_view *view, struct text_table *table)
{
	for (size_t i = 0; view->marks && i < TOP_COLUMNS; i++)
		view->marks->columns[i] = text_table_span(table, i, view->width);
}

static void print_rows(FILE *out, const struct top_view *view, const struct live_frame *frame,
		       const struct live_thread **threads, size_t count)
{
	struct text_column heads[TOP_COLUMNS];

	top_columns_heads(heads);
	char *title = mark_order(view, heads);
	struct text_table *table = text_table_create(heads, TOP_COLUMNS);
	struct top_row row = {view, frame, NULL, is_cramped(view, threads, count)};

	for (size_t i = 0; i < count; i++) {
		row.thread = threads[i];
		for (enum top_column column = 0; column < TOP_COLUMNS; column++)
			text_table_add(table, top_column_text(column, &row));
	}
	text_table_be_quiet(table);
	mark_columns(view, table);
	text_table_print(table, out, view->width, view->is_utf8);
	free(title);
}

void top_print_threads(FILE *out, const struct top_view *view, const struct live_frame *frame)
{
	size_t count, most = view->rows[TOP_THREADS];
	const struct live_thread **rows = top_threads_of(view, frame, &count);
	size_t first = view->first < count ? view->first : 0;
	size_t shown = count - first < most ? count - first : most;
	bool is_all = !(view->filter && *view->filter) && !view->pid;

	top_mark_table(out, view, shown);
	print_rows(out, view, frame, rows + first, shown);
	/* of a process with very many threads the frame has not all */
	if (is_all && frame->thread_count > count)
		count = frame->thread_count;
	top_print_more(out, count, shown, first);
	free(rows);
}
