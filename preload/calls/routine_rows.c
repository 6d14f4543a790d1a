/* SPDX-License-Identifier: MIT */
#include "preload/calls/routine_rows.h"

#include "preload/base/pages.h"
#include "preload/file/schema.h"
#include "preload/stacks/callpath.h"

#include <errno.h>

enum { GROWTH = 4 };

void routine_rows_prepare(struct routine_rows *rows, uint32_t owner)
{
	rows->slots = rows->first;
	rows->mask = ROUTINE_SLOTS_FIRST - 1;
	row_hash_prepare(&rows->rows, TABLE_calls, sizeof(struct row_calls), owner,
			 ROUTINE_ROWS_FIRST, ROUTINE_ROWS_MOST);
}

struct row_calls *routine_rows_of_place(struct routine_rows *rows, uint32_t place)
{
	uint32_t other = callpath_mark(MARK_OTHER);
	struct row_calls *row =
		place || other ? row_hash_find(&rows->rows, place ? place : other, other) : NULL;

	return row ? row : &rows->nowhere;
}

/* The slot that has the routine, or a free one for it: a quarter of them is always free. */
static struct routine_slot *probe(const struct routine_rows *rows, uint64_t routine)
{
	uint32_t at = hash_bits(routine) & rows->mask;

	while (rows->slots[at].routine && rows->slots[at].routine != routine)
		at = (at + 1) & rows->mask;
	return &rows->slots[at];
}

static bool enlarge(struct routine_rows *rows)
{
	struct routine_slot *old = rows->slots;
	uint32_t count = rows->mask + 1;
	struct routine_slot *made =
		count < ROUTINE_SLOTS_MOST ? pages_new(count * GROWTH * sizeof *made) : NULL;

	if (!made)
		return false;
	rows->slots = made;
	rows->mask = count * GROWTH - 1;
	for (uint32_t i = 0; i < count; i++)
		if (old[i].routine)
			*probe(rows, old[i].routine) = old[i];
	if (old != rows->first)
		pages_free(old, count * sizeof *old);
	return true;
}

static bool has_room(const struct routine_rows *rows)
{
	return rows->used < (rows->mask + 1) / 4 * 3;
}

__attribute__((noinline)) struct row_calls *routine_rows_find_slowly(struct routine_rows *rows,
								     uint64_t routine)
{
	struct routine_slot *slot = probe(rows, routine);
	int saved = errno;

	if (likely(slot->routine))
		return slot->row;
	struct row_calls *row = routine_rows_of_place(rows, callpath_start(routine));
	if (has_room(rows) || enlarge(rows)) {
		*probe(rows, routine) = (struct routine_slot){routine, row};
		rows->used++;
	}
	errno = saved;
	return row;
}
