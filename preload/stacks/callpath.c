/* SPDX-License-Identifier: MIT */
#include "preload/stacks/callpath.h"

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/base/pages.h"
#include "preload/file/rows.h"
#include "preload/process/module_map.h"
#include "preload/stacks/cfi.h"

#include <stddef.h>
#include <string.h>

enum {
	NODE_LIMIT = 1 << 18,
	NODES_OF_PART = 1 << 12,
	ROWS_PER_BLOCK = 256,
	/* Rows that are kept for single places and routines when there is no room for further
	 * stacks: of all rows, and of the last block if the file cannot grow. */
	PLACES_KEPT = 1 << 14,
	BLOCK_KEPT = ROWS_PER_BLOCK / 2,
	PLACE_LISTS = 64,
};

/* Part of a node's `place` if its code can be unloaded: the number of its module. Another module
 * that is loaded there later has nodes of its own. */
enum { MODULE_SHIFT = 48 };
#define MODULE_BITS (UINT64_C(0x7fff) << MODULE_SHIFT)

/* What the file's rows do not have: links from a node to its children, for the search. Siblings are
 * few, so a list is enough. */
struct node {
	uint64_t place;        /* with UNWIND_EXACT and MODULE_BITS; a mark: its number */
	uint32_t first_child;  /* atomic */
	uint32_t next_sibling; /* fixed before the node is published */
};

static struct {
	struct row_array rows;
	/* of nodes, 1.. as the rows are numbered; mapped as they are needed */
	void *parts[NODE_LIMIT / NODES_OF_PART];
	uint32_t first_path;                 /* outermost places of stacks */
	uint32_t first_place[PLACE_LISTS];   /* single places, by hash: there may be thousands */
	uint32_t first_routine[PLACE_LISTS]; /* with unknown callers, below MARK_TRUNCATED */
	uint32_t marks[MARK_COUNT]; /* atomic: those that were looked for; each wait does */
	bool is_full;
} tree = {
	.rows = {.table = TABLE_callpaths,
		 .row_bytes = sizeof(struct row_callpaths),
		 .rows_per_block = ROWS_PER_BLOCK,
		 .limit = NODE_LIMIT,
		 .next = 1},
};

/* Marks are no addresses: no code lies there. */
enum { MARK_PLACES = MARK_SECTIONS + SECTION_LIMIT };

enum { PART_BYTES = NODES_OF_PART * sizeof(struct node) };

/* Of a row's number that is in a list, whose part is there. */
static struct node *node_at(uint32_t number)
{
	struct node *part = pages_had(&tree.parts[number / NODES_OF_PART]);

	return &part[number % NODES_OF_PART];
}

void callpath_reset(void)
{
	pages_clear_parts(tree.parts, NODE_LIMIT / NODES_OF_PART, PART_BYTES);
	if (tree.rows.next > 1) { /* else nothing is in a list: their pages stay untouched */
		memset(tree.first_place, 0, sizeof tree.first_place);
		memset(tree.first_routine, 0, sizeof tree.first_routine);
		memset(tree.marks, 0, sizeof tree.marks);
	}
	row_array_reset(&tree.rows);
	tree.first_path = 0;
	tree.is_full = false;
}

bool callpath_is_full(void)
{
	return tree.is_full;
}

/* The last byte of the call, for a return address may lie behind its object's end. */
static uint64_t address_in(uint64_t place)
{
	return (place & ~UNWIND_EXACT) - !(place & UNWIND_EXACT);
}

static bool is_of_module(uint64_t of_node, uint64_t place)
{
	uint64_t offset, module = (of_node & MODULE_BITS) >> MODULE_SHIFT;

	return likely(!module) || callpath_is_python(of_node) ||
	       module == module_map_module(address_in(place), &offset);
}

static uint32_t search(uint32_t from, uint32_t until, uint64_t place)
{
	uint64_t wanted = place & ~MODULE_BITS;
	const struct node *node;

	for (uint32_t at = from; at != until; at = node->next_sibling) {
		node = node_at(at);
		if ((node->place & ~MODULE_BITS) == wanted &&
		    callpath_is_python(node->place) == callpath_is_python(place) &&
		    is_of_module(node->place, place))
			return at;
	}
	return 0;
}

/* As the file has it. */
static uint64_t python_offset(uint64_t place)
{
	uint64_t line = place & ((1u << CALLPATH_LINE_BITS) - 1);
	uint64_t row = (place & ~CALLPATH_PYTHON_BITS) >> CALLPATH_LINE_BITS;

	return line << 32 | row;
}

/* Returns the node's `place`. */
static uint64_t fill_row(struct row_callpaths *row, uint32_t parent, uint64_t place)
{
	uint64_t key = place & ~MODULE_BITS;
	uint16_t flags = CALLPATH_PRESENT;
	uint16_t module = 0;

	if (place < MARK_PLACES) {
		flags |= CALLPATH_MARK;
		row->offset = place;
	} else if (callpath_is_python(place)) {
		flags |= CALLPATH_EXACT | CALLPATH_PYTHON;
		row->offset = python_offset(place);
		key = place;
	} else {
		uint64_t offset;
		flags |= place & UNWIND_EXACT ? CALLPATH_EXACT : 0;
		module = module_map_module(address_in(place), &offset);
		if (!module_map_is_permanent(address_in(place)))
			key |= (uint64_t)module << MODULE_SHIFT;
		row->offset = offset + !(place & UNWIND_EXACT);
	}
	uint64_t words = parent | (uint64_t)module << 32 | (uint64_t)flags << 48;
	__atomic_store_n((uint64_t *)row, words, __ATOMIC_RELEASE);
	return key;
}

static bool has_room_for_stacks(void)
{
	uint32_t next = __atomic_load_n(&tree.rows.next, __ATOMIC_RELAXED);

	return next + PLACES_KEPT < NODE_LIMIT && row_array_prepare(&tree.rows, next + BLOCK_KEPT);
}

/* A new row and its node; NULL: no room. */
static struct node *add_node(uint32_t parent, uint64_t place, uint32_t *number)
{
	uint32_t next = __atomic_load_n(&tree.rows.next, __ATOMIC_RELAXED);
	bool has_part =
		next < NODE_LIMIT && pages_have(&tree.parts[next / NODES_OF_PART], PART_BYTES);
	struct row_callpaths *row = has_part ? row_array_add(&tree.rows, number) : NULL;
	/* other threads may have taken numbers meanwhile */
	if (!row || !pages_have(&tree.parts[*number / NODES_OF_PART], PART_BYTES))
		return NULL;
	struct node *node = node_at(*number);
	node->place = fill_row(row, parent, place);
	return node;
}

static void mark_unused(uint32_t number)
{
	struct row_callpaths *row = row_array_row(&tree.rows, number);

	row->flags |= CALLPATH_UNUSED;
}

/* The child of `parent` at that place, made if need be; 0: no room. head: the parent's list of
 * children. */
static uint32_t child_of(uint32_t *head, uint32_t parent, uint64_t place, bool is_of_stack)
{
	uint32_t first = __atomic_load_n(head, __ATOMIC_ACQUIRE);
	uint32_t found = search(first, 0, place), number;

	if (likely(found))
		return found;
	bool has_room = !is_of_stack || has_room_for_stacks();
	struct node *node = has_room ? add_node(parent, place, &number) : NULL;
	if (!node) {
		tree.is_full = true;
		return 0;
	}
	for (;;) {
		node->next_sibling = first;
		uint32_t seen = first;
		if (__atomic_compare_exchange_n(head, &first, number, false, __ATOMIC_RELEASE,
						__ATOMIC_ACQUIRE))
			return number;
		/* another thread was quicker, perhaps with the same place */
		found = search(first, seen, place);
		if (found) {
			mark_unused(number);
			return found;
		}
	}
}

static uint32_t *list_of(uint32_t lists[PLACE_LISTS], uint64_t place)
{
	return &lists[hash_slot(place, PLACE_LISTS)];
}

uint32_t callpath_mark(enum callpath_mark mark)
{
	uint32_t known = __atomic_load_n(&tree.marks[mark], __ATOMIC_ACQUIRE);

	if (likely(known))
		return known;
	known = child_of(&tree.first_path, 0, mark, false);
	__atomic_store_n(&tree.marks[mark], known, __ATOMIC_RELEASE);
	return known;
}

uint32_t callpath_place(uint64_t place)
{
	return child_of(list_of(tree.first_place, place), 0, place, false);
}

uint32_t callpath_start(uint64_t routine)
{
	return callpath_place(routine | UNWIND_EXACT);
}

uint32_t callpath_parent(uint32_t number)
{
	return ((const struct row_callpaths *)row_array_row(&tree.rows, number))->parent;
}

/* The first instruction of the routine that a place lies in; the place itself if that is not
 * known. */
static uint64_t beginning_of(uint64_t place)
{
	uint64_t address = address_in(place);
	struct code_object object;
	uint64_t start = module_map_find(address, &object)
				 ? cfi_routine(object.eh_frame_header, address)
				 : 0;

	return start ? start | UNWIND_EXACT : place;
}

uint32_t callpath_start_around(uint64_t place)
{
	return callpath_place(beginning_of(place));
}

uint32_t callpath_routine(const struct unwind_path *path)
{
	uint32_t mark = callpath_mark(MARK_TRUNCATED);

	if (!path->count || !mark)
		return 0;
	uint64_t place = beginning_of(path->place[0]);
	return child_of(list_of(tree.first_routine, place), mark, place, false);
}

/* There is no room for the whole stack: its innermost routine says more than its outermost
 * places. */
__attribute__((noinline)) static uint32_t shortened(const struct unwind_path *path, uint32_t known)
{
	uint32_t routine = callpath_routine(path);

	if (routine)
		return routine;
	return known ? known : callpath_mark(MARK_OTHER);
}

static uint32_t *children_of(uint32_t number)
{
	return number ? &node_at(number)->first_child : &tree.first_path;
}

uint32_t callpath_section(uint32_t above, uint32_t section)
{
	return child_of(children_of(above), above, MARK_SECTIONS + section, false);
}

static uint32_t truncated_below(uint32_t root)
{
	uint32_t mark = root ? child_of(children_of(root), root, MARK_TRUNCATED, false) : 0;

	return mark ? mark : callpath_mark(MARK_TRUNCATED);
}

uint32_t callpath_of(const struct unwind_path *path, uint32_t root)
{
	uint32_t at = root;

	if (unlikely(path->is_truncated))
		at = truncated_below(root);
	uint32_t *head = children_of(at);
	for (uint32_t i = path->count; i-- > 0;) {
		uint32_t next = child_of(head, at, path->place[i], true);
		if (unlikely(!next))
			return shortened(path, at == root ? 0 : at);
		at = next;
		head = &node_at(at)->first_child;
	}
	return at != root ? at : callpath_mark(MARK_OTHER);
}
