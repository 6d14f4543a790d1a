/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_cursor.h"

static bool are_same(const struct top_identity *a, const struct top_identity *b)
{
	return a->pid == b->pid && a->id == b->id;
}

static void choose(struct top_cursor *cursor, const struct top_identity *rows, size_t at)
{
	cursor->is_set = true;
	cursor->at = at;
	cursor->chosen = rows[at];
}

void top_cursor_settle(struct top_cursor *cursor, const struct top_identity *rows, size_t count)
{
	if (!cursor->is_set)
		return;
	if (!count) {
		cursor->is_set = false;
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (are_same(&rows[i], &cursor->chosen)) {
			cursor->at = i;
			return;
		}
	choose(cursor, rows, cursor->at < count ? cursor->at : count - 1);
}

static size_t less(size_t from, size_t by)
{
	return from > by ? from - by : 0;
}

static size_t target(const struct top_cursor *cursor, enum top_move move, size_t count, size_t page)
{
	size_t step = page > 1 ? page - 1 : 1; /* one row of the page before stays in sight */

	switch (move) {
	case TOP_UP:
		return less(cursor->at, 1);
	case TOP_DOWN:
		return cursor->at + 1;
	case TOP_PAGE_UP:
		return less(cursor->at, step);
	case TOP_PAGE_DOWN:
		return cursor->at + step;
	case TOP_END:
		return count;
	default:
		return 0;
	}
}

void top_cursor_move(struct top_cursor *cursor, enum top_move move, const struct top_identity *rows,
		     size_t count, size_t page)
{
	if (!count)
		return;
	size_t to = cursor->is_set || move == TOP_END ? target(cursor, move, count, page) : 0;

	choose(cursor, rows, to < count ? to : count - 1);
}

void top_cursor_scroll(struct top_cursor *cursor, size_t count, size_t page)
{
	if (!cursor->is_set || !page || count <= page) {
		cursor->first = 0;
		return;
	}
	if (cursor->at < cursor->first)
		cursor->first = cursor->at;
	if (cursor->at >= cursor->first + page)
		cursor->first = cursor->at - page + 1;
	if (cursor->first > count - page)
		cursor->first = count - page;
}
