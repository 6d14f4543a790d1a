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
		if (old[i].address)
			*routine_rows_probe(rows, old[i].address) = old[i];
	if (old != rows->first)
		pages_free(old, count * sizeof *old);
	return true;
}

static bool has_room(const struct routine_rows *rows)
{
	return rows->used < (rows->mask + 1) / 4 * 3;
}

/* place_of: the row of `callpaths` where the address's routine begins. */
static struct row_calls *find(struct routine_rows *rows, uint64_t address,
			      uint32_t (*place_of)(uint64_t address))
{
	struct routine_slot *slot = routine_rows_probe(rows, address);
	int saved = errno;

	if (likely(slot->address))
		return slot->row;
	struct row_calls *row = routine_rows_of_place(rows, place_of(address));
	if (has_room(rows) || enlarge(rows)) {
		struct routine_slot *made = routine_rows_probe(rows, address);
		made->row = row;
		__atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler may jump out of this */
		made->address = address;
		rows->used++;
	}
	errno = saved;
	return row;
}

__attribute__((noinline)) struct row_calls *routine_rows_find_slowly(struct routine_rows *rows,
								     uint64_t routine)
{
	return find(rows, routine, callpath_start);
}

struct row_calls *routine_rows_find_around(struct routine_rows *rows, uint64_t place)
{
	return find(rows, place, callpath_start_around);
}

void routine_rows_ignore(struct routine_rows *rows, uint64_t place)
{
	struct routine_slot *slot = routine_rows_probe(rows, place);

	if (slot->address)
		slot->row = &rows->nowhere;
}
