/* SPDX-License-Identifier: MIT */
#include "preload/calls/routine_rows.h"

#include "preload/base/pages.h"
#include "preload/file/schema.h"
#include "preload/stacks/callpath.h"

#include <errno.h>

enum {
	GROWTH = 4,
	BEING_FILLED = 1, /* no routine's address */
};

void routine_rows_prepare(struct routine_rows *rows, uint32_t owner)
{
	rows->first = (struct routine_slots){ROUTINE_SLOTS_FIRST - 1, 0, rows->first_at};
	rows->slots = &rows->first;
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

/* The outgrown slots stay: a hook that was interrupted may be in the middle of them. */
static struct routine_slots *enlarge(struct routine_rows *rows, const struct routine_slots *old)
{
	uint32_t count = old->mask + 1;
	struct routine_slots *made =
		count < ROUTINE_SLOTS_MOST
			? pages_new(sizeof *made + count * GROWTH * sizeof *made->at)
			: NULL;

	if (!made)
		return NULL;
	*made = (struct routine_slots){count * GROWTH - 1, old->used,
				       (struct routine_slot *)(made + 1)};
	for (uint32_t i = 0; i < count; i++)
		if (old->at[i].address > BEING_FILLED)
			*routine_slots_probe(made, old->at[i].address) = old->at[i];
	struct routine_slots *seen = (struct routine_slots *)old;
	if (__atomic_compare_exchange_n(&rows->slots, &seen, made, false, __ATOMIC_RELEASE,
					__ATOMIC_RELAXED))
		return made;
	pages_free(made, sizeof *made + count * GROWTH * sizeof *made->at);
	return seen; /* a handler was quicker */
}

static bool has_room(const struct routine_slots *slots)
{
	return slots->used < (slots->mask + 1) / 4 * 3;
}

/* Takes the slot before it is filled, as a handler may look for one in between; if one has taken
 * it, the address is looked for again next time. */
static void enter(struct routine_slot *slot, uint64_t address, struct row_calls *row)
{
	uint64_t nobody = 0;

	if (!__atomic_compare_exchange_n(&slot->address, &nobody, BEING_FILLED, false,
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return;
	slot->row = row;
	__atomic_store_n(&slot->address, address, __ATOMIC_RELEASE);
}

/* place_of: the row of `callpaths` where the address's routine begins. */
static struct row_calls *find(struct routine_rows *rows, uint64_t address,
			      uint32_t (*place_of)(uint64_t address))
{
	struct routine_slots *slots = __atomic_load_n(&rows->slots, __ATOMIC_RELAXED);
	struct routine_slot *slot = routine_slots_probe(slots, address);
	int saved = errno;

	if (likely(slot->address))
		return slot->row;
	struct row_calls *row = routine_rows_of_place(rows, place_of(address));
	if (has_room(slots) || (slots = enlarge(rows, slots))) {
		slots->used++;
		enter(routine_slots_probe(slots, address), address, row);
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
	struct routine_slot *slot = routine_slots_probe(rows->slots, place);

	if (slot->address)
		slot->row = &rows->nowhere;
}
