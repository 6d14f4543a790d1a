/* SPDX-License-Identifier: MIT */
#include "callpath.h"

#include "code_map.h"
#include "likely.h"
#include "pages.h"
#include "rows.h"

#include <stddef.h>
#include <string.h>

enum {
	NODE_LIMIT = 60000,
	PLACE_LISTS = 64,
};

/* What the file's row does not have: the tree downwards, for the search. Siblings are few, so a
 * list is enough. */
struct node {
	uint64_t place;        /* with UNWIND_EXACT; of a mark: its number, which is no address */
	uint32_t first_child;  /* atomic */
	uint32_t next_sibling; /* fixed before the node is published */
};

static struct {
	struct series rows;
	struct node *nodes;                /* [NODE_LIMIT]; 1.. as the rows are numbered */
	uint32_t first_path;               /* outermost places of stacks */
	uint32_t first_place[PLACE_LISTS]; /* single places; by hash, for there may be thousands */
	bool is_full;
} tree = {
	.rows = {.table = TABLE_callpaths,
		 .row_bytes = sizeof(struct row_callpaths),
		 .rows_per_block = 256,
		 .limit = NODE_LIMIT,
		 .next = 1},
};

void callpath_reset(void)
{
	size_t bytes = NODE_LIMIT * sizeof(struct node);

	/* Zero pages: cheaper than clearing, and nothing is touched before it is needed. Those of a
	 * fork child stay where the parent's were: a signal handler may have forked in the middle
	 * of a search, which goes on in the child. */
	if (tree.nodes)
		pages_clear(tree.nodes, bytes);
	else
		tree.nodes = pages_new(bytes);
	series_reset(&tree.rows);
	tree.first_path = 0;
	memset(tree.first_place, 0, sizeof tree.first_place);
	tree.is_full = false;
}

bool callpath_is_full(void)
{
	return tree.is_full;
}

static uint32_t search(uint32_t from, uint32_t until, uint64_t place)
{
	for (uint32_t at = from; at != until; at = tree.nodes[at].next_sibling)
		if (tree.nodes[at].place == place)
			return at;
	return 0;
}

static void fill_row(struct row_callpaths *row, uint32_t parent, uint64_t place)
{
	uint64_t address = place & ~UNWIND_EXACT;
	uint16_t flags = CALLPATH_PRESENT;
	uint16_t module = 0;

	if (place < MARK_COUNT) {
		flags |= CALLPATH_MARK;
		row->offset = place;
	} else {
		uint64_t offset;
		flags |= place & UNWIND_EXACT ? CALLPATH_EXACT : 0;
		/* a return address may lie behind its object's last byte */
		module = code_map_module(address - !(place & UNWIND_EXACT), &offset);
		row->offset = offset + !(place & UNWIND_EXACT);
	}
	uint64_t words = parent | (uint64_t)module << 32 | (uint64_t)flags << 48;
	__atomic_store_n((uint64_t *)row, words, __ATOMIC_RELEASE);
}

/* The child of `parent` at that place, made if need be. head: the parent's list of children. */
static uint32_t child_of(uint32_t *head, uint32_t parent, uint64_t place)
{
	uint32_t first = __atomic_load_n(head, __ATOMIC_ACQUIRE);
	uint32_t found = search(first, 0, place), number;

	if (likely(found))
		return found;
	struct row_callpaths *row = tree.nodes ? series_add(&tree.rows, &number) : NULL;
	if (!row) {
		tree.is_full = true;
		return parent;
	}
	fill_row(row, parent, place);
	struct node *node = &tree.nodes[number];
	node->place = place;
	for (;;) {
		node->next_sibling = first;
		uint32_t seen = first;
		if (__atomic_compare_exchange_n(head, &first, number, false, __ATOMIC_RELEASE,
						__ATOMIC_ACQUIRE))
			return number;
		/* another thread was quicker: perhaps with the very same place */
		found = search(first, seen, place);
		if (found) {
			row->flags |= CALLPATH_UNUSED;
			return found;
		}
	}
}

uint32_t callpath_mark(enum callpath_mark mark)
{
	return child_of(&tree.first_path, 0, mark);
}

uint32_t callpath_place(uint64_t place)
{
	uint64_t list = place * 0x9e3779b97f4a7c15u >> 58;

	return child_of(&tree.first_place[list % PLACE_LISTS], 0, place);
}

uint32_t callpath_start(uint64_t routine)
{
	return callpath_place(routine | UNWIND_EXACT);
}

uint32_t callpath_of(const struct unwind_path *path)
{
	uint32_t at = 0;
	uint32_t *head = &tree.first_path;

	if (unlikely(path->is_truncated)) {
		at = callpath_mark(MARK_TRUNCATED);
		head = &tree.nodes[at].first_child;
	}
	for (uint32_t i = path->count; i-- > 0;) {
		uint32_t next = child_of(head, at, path->place[i]);
		if (next == at)
			break; /* full */
		at = next;
		head = &tree.nodes[at].first_child;
	}
	return at ? at : callpath_mark(MARK_OTHER);
}
