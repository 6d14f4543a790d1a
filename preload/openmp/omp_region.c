/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_region.h"

#include "preload/base/hash.h"
#include "preload/file/note.h"
#include "preload/file/rows.h"
#include "preload/stacks/callpath.h"
#include "preload/stacks/unwind.h"

#include <string.h>

enum { LISTS = 256 };

/* What the file's rows do not have. */
struct region {
	uint64_t place;
	uint32_t parent;
	uint16_t kind, level;
	uint32_t next; /* in its hash list */
};

static struct row_array rows = {
	.table = TABLE_omp_regions,
	.row_bytes = sizeof(struct row_omp_regions),
	.rows_per_block = 32,
	.limit = OMP_REGIONS_MOST,
	.next = 1,
};
static struct region regions[OMP_REGIONS_MOST];
static uint32_t first[LISTS]; /* atomic */
static uint32_t other;        /* atomic */

static uint32_t *list_of(uint64_t place, uint32_t parent)
{
	return &first[hash_slot(place + parent, LISTS)];
}

static uint32_t search(uint32_t from, enum omp_region_kind kind, uint64_t place, uint32_t parent)
{
	for (uint32_t at = from; at; at = regions[at].next)
		if (regions[at].place == place && regions[at].parent == parent &&
		    regions[at].kind == kind)
			return at;
	return 0;
}

/* Too deep: the nearest enclosing region of the same place, or the parent itself. */
static uint32_t outer_of_same_place(uint64_t place, uint32_t parent)
{
	uint32_t at = parent;

	while (at && regions[at].place != place)
		at = regions[at].parent;
	at = at ? at : parent;
	struct row_omp_regions *row = row_array_row(&rows, at);
	if (row)
		row->flags |= OMP_REGION_RECURSIVE;
	return at;
}

uint32_t omp_region_known(enum omp_region_kind kind, uint64_t place, uint32_t parent)
{
	if (parent && regions[parent].level >= OMP_LEVELS_MOST)
		return outer_of_same_place(place, parent);
	return search(__atomic_load_n(list_of(place, parent), __ATOMIC_ACQUIRE), kind, place,
		      parent);
}

uint32_t omp_region_other(void)
{
	uint32_t number = __atomic_load_n(&other, __ATOMIC_ACQUIRE);

	if (number)
		return number;
	struct row_omp_regions *row = row_array_add(&rows, &number);
	if (!row)
		return 0;
	row->kind = OMP_REGION_PARALLEL;
	__atomic_store_n(&row->place, callpath_mark(MARK_OTHER), __ATOMIC_RELEASE);
	__atomic_store_n(&other, number, __ATOMIC_RELEASE);
	return number;
}

uint32_t omp_region_find(enum omp_region_kind kind, uint64_t place, uint32_t parent,
			 uint32_t caller)
{
	uint32_t number = omp_region_known(kind, place, parent);
	uint32_t *list = list_of(place, parent);

	if (number)
		return number;
	struct row_omp_regions *row = row_array_add(&rows, &number);
	if (!row) {
		note_once(NOTE_OMP_REGIONS_FULL, 0);
		return omp_region_other();
	}
	struct region *region = &regions[number];
	*region = (struct region){
		.place = place,
		.parent = parent,
		.kind = (uint16_t)kind,
		.level = (uint16_t)(parent ? regions[parent].level + 1 : 1),
	};
	/* two threads at once may make two rows, which readers add up */
	region->next = __atomic_load_n(list, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(list, &region->next, number, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE))
		;
	row->parent = parent;
	row->caller = caller;
	row->kind = (uint16_t)kind;
	row->flags = place & UNWIND_EXACT ? OMP_REGION_AT_ENTRY : 0;
	uint32_t path = callpath_place(place);
	/* the first word last: see rows.h */
	__atomic_store_n(&row->place, path ? path : callpath_mark(MARK_OTHER), __ATOMIC_RELEASE);
	return number;
}

void omp_region_reset(void)
{
	row_array_reset(&rows);
	memset(regions, 0, sizeof regions);
	memset(first, 0, sizeof first);
	other = 0;
}
