/* SPDX-License-Identifier: MIT */
#include "preload/locks/call_counts.h"

#include "preload/base/hash.h"
#include "preload/file/store.h"
#include "preload/locks/objects.h"
#include "preload/stacks/callpath.h"

#include <stdbool.h>
#include <string.h>

enum {
	FIRST_ROWS = 32,
	PROBES = 8,
	PROBES_MOST = 256,                          /* in the largest table, which cannot grow */
	ROWS_GIVEN = CALL_COUNTS_ROWS_MOST / 4 * 3, /* of the largest table */
	GROWTH = 4,
	USERS = 16384,
};

/* By hash of an object's address: threads that have counted it. Bits are only set, never
 * cleared. */
static uint64_t users[USERS];

struct row_tallies call_counts_no_rows[2];

static uint64_t address_of(uint64_t tag)
{
	return tag >> 8;
}

uint64_t call_counts_users(const void *object)
{
	uint64_t address = address_of(call_counts_tag(object, 0));

	return __atomic_fetch_or(&users[hash_slot(address, USERS)], 0, __ATOMIC_ACQ_REL);
}

/* A thread that gives an object its own row asks for users afterwards. Both change the word, so at
 * least one sees what the other did before (settle, object_life.c). */
static void become_user(const struct call_counts *counts, uint64_t address)
{
	__atomic_fetch_or(&users[hash_slot(address, USERS)], 1ull << counts->index % 64,
			  __ATOMIC_ACQ_REL);
}

static void clear_lists(struct call_counts *counts)
{
	for (int i = 0; i < CALL_COUNTS_LISTS; i++)
		__atomic_store_n(&counts->first[i], 0, __ATOMIC_RELAXED);
}

void call_counts_prepare(struct call_counts *counts, uint32_t owner, uint32_t index)
{
	counts->distance = 0;
	counts->mask = counts->used = 0;
	counts->owner = owner;
	counts->index = index;
	counts->is_full = false;
	__atomic_store_n(&counts->block, NULL, __ATOMIC_RELAXED);
	clear_lists(counts);
}

static uint32_t row_count(const struct call_counts *counts)
{
	return counts->distance ? counts->mask + 1 : 0;
}

static bool is_largest(const struct call_counts *counts)
{
	return row_count(counts) == CALL_COUNTS_ROWS_MOST;
}

/* No further object gets a row. Smaller tables never have that many. */
static bool is_closed(const struct call_counts *counts)
{
	return counts->used >= ROWS_GIVEN;
}

/* The upper 21 bits of the hash select a word and two of its bits; the lower 11 a row. */
static uint64_t filter_bits(uint32_t hash)
{
	return UINT64_C(1) << (hash >> 26) | UINT64_C(1) << (hash >> 20 & 63);
}

static uint32_t filter_word(uint32_t hash)
{
	return (hash >> 11) % CALL_COUNTS_FILTER_WORDS;
}

static bool may_have_row(const struct call_counts *counts, uint32_t hash)
{
	uint64_t bits = filter_bits(hash);

	return (counts->filter[filter_word(hash)] & bits) == bits;
}

/* In one instruction, because a signal handler may do the same in between. */
static void enter_filter(struct call_counts *counts, uint32_t hash)
{
	__atomic_fetch_or(&counts->filter[filter_word(hash)], filter_bits(hash), __ATOMIC_RELAXED);
}

/* New sums begin in the larger block; the reader adds up rows with equal keys. */
static bool enlarge(struct call_counts *counts)
{
	uint32_t count = row_count(counts);
	uint32_t wanted = count ? count * GROWTH : FIRST_ROWS;

	if (wanted > CALL_COUNTS_ROWS_MOST)
		return false;
	struct format_block *block =
		store_block(TABLE_tallies, sizeof(struct row_tallies), counts->owner, 0, wanted);
	if (!block)
		return false;
	if (wanted == CALL_COUNTS_ROWS_MOST)
		memset(counts->filter, 0, sizeof counts->filter);
	counts->distance = (char *)store_rows(block) - (char *)call_counts_no_rows;
	counts->mask = wanted - 1;
	counts->used = 0;
	clear_lists(counts);
	__atomic_store_n(&counts->block, block, __ATOMIC_RELEASE);
	return true;
}

/* The row without object and caller takes what has no row of its own: it may lie anywhere, and
 * there is always room for it, because others leave a quarter of the rows free. */
static bool is_last_resort(uint64_t tag, uint64_t caller)
{
	return !(tag >> 8) && !caller;
}

static uint32_t count_probes(const struct call_counts *counts, uint64_t tag, uint64_t caller)
{
	if (is_last_resort(tag, caller))
		return row_count(counts);
	return is_largest(counts) ? PROBES_MOST : PROBES;
}

static struct row_tallies *probe(struct call_counts *counts, uint64_t tag, uint64_t caller)
{
	uint32_t at = call_counts_hash(tag, caller);
	uint32_t probes = count_probes(counts, tag, caller);

	for (uint32_t i = 0; i < probes; i++, at++) {
		struct row_tallies *row = call_counts_row(counts, at);
		if ((row->tag == tag && row->caller == caller) || !row->tag)
			return row;
	}
	return NULL;
}

static uint16_t *list_of(struct call_counts *counts, uint64_t address)
{
	return &counts->first[hash_slot(address, CALL_COUNTS_LISTS)];
}

static void enter_list(struct call_counts *counts, const struct row_tallies *row, uint64_t address)
{
	uint16_t *first = list_of(counts, address);
	uint32_t number = (uint32_t)(row - call_counts_row(counts, 0));

	__atomic_store_n(&counts->next[number], *first, __ATOMIC_RELAXED);
	__atomic_store_n(first, (uint16_t)(number + 1), __ATOMIC_RELEASE);
	if (address)
		become_user(counts, address);
}

static void fill(struct row_tallies *row, uint64_t tag, uint64_t caller)
{
	enum operation operation = tag & 0xff;
	const void *address = (const void *)(tag >> 8);
	enum object_kind kind = object_kind_of(operation);
	uint64_t place = kind == OBJECT_JOIN ? (uint64_t)address | UNWIND_EXACT : caller;

	row->caller = caller;
	row->object = address ? object_row(address, kind, place) : 0;
	row->operation = (uint16_t)operation;
	row->callpath = caller ? callpath_place(caller) : 0;
	__atomic_store_n(&row->tag, tag, __ATOMIC_RELEASE);
}

/* Since fill the object may have been given a row of its own by a thread that did not find this row
 * in the list yet. */
static void settle(struct row_tallies *row, uint64_t tag)
{
	const void *address = (const void *)(tag >> 8);
	const struct object *object =
		address ? object_known(address, object_kind_of(tag & 0xff)) : NULL;

	if (!object || object->row == row->object || row->tag != tag)
		return;
	object_leave_row(row->object);
	row->object = object->row;
}

/* The row for the call, or a free one for it; NULL: there is none. */
static struct row_tallies *find_or_give(struct call_counts *counts, uint64_t tag, uint64_t caller)
{
	struct row_tallies *row = row_count(counts) ? probe(counts, tag, caller) : NULL;

	/* tables are sparse, so that most calls find their row at the first probe */
	while (!row || (!row->tag && counts->used * 4 >= row_count(counts))) {
		if (!enlarge(counts))
			break;
		row = probe(counts, tag, caller);
	}
	if (row && !row->tag && !is_last_resort(tag, caller) &&
	    counts->used * 4 >= row_count(counts) * 3)
		return NULL;
	return row;
}

/* The filter first: a row that exists is never missed. */
static void begin_row(struct call_counts *counts, struct row_tallies *row, uint64_t tag,
		      uint64_t caller)
{
	if (is_largest(counts))
		enter_filter(counts, call_counts_hash(tag, caller));
	fill(row, tag, caller);
	enter_list(counts, row, tag >> 8);
	settle(row, tag);
	counts->used++;
}

/* Counts the call in the row of its operation without object. */
__attribute__((noinline)) static void count_without_row(struct call_counts *counts, uint64_t tag)
{
	uint64_t operation = tag & 0xff;
	struct row_tallies *row = find_or_give(counts, operation, 0);

	if (!row)
		return;
	if (!row->tag)
		begin_row(counts, row, operation, 0);
	counts->last_resort[operation] = (uint16_t)(row - call_counts_row(counts, 0));
	row->count++;
}

__attribute__((noinline)) static void count_slowly(struct call_counts *counts, uint64_t tag,
						   uint64_t caller)
{
	if (!counts->owner)
		return; /* a wiped record: see thread.h */
	struct row_tallies *row = find_or_give(counts, tag, caller);
	if (!row) {
		/* once, because the counter is shared by all threads */
		if (!counts->is_full)
			store_count_loss();
		counts->is_full = true;
		count_without_row(counts, tag);
		return;
	}
	if (!row->tag)
		begin_row(counts, row, tag, caller);
	row->count++;
}

void call_counts_slow(struct call_counts *counts, uint64_t tag, uint64_t caller)
{
	uint64_t operation = tag & 0xff;
	struct row_tallies *row = call_counts_row(counts, counts->last_resort[operation]);

	if (likely(is_closed(counts) && !may_have_row(counts, call_counts_hash(tag, caller)) &&
		   row->tag == operation && !row->caller))
		row->count++;
	else
		count_slowly(counts, tag, caller);
}

/* Visits the rows of an object, by the owner or by another thread while the owner goes on counting:
 * what is read may be old, so a row's number is checked against the block that it is looked up
 * in. */
struct walk {
	struct call_counts *counts;
	struct format_block *block;
	uint64_t address;
	uint32_t number; /* of the next row + 1 */
	uint32_t steps;
};

static struct walk walk_of(struct call_counts *counts, const void *object)
{
	struct walk walk = {
		.counts = counts,
		.block = __atomic_load_n(&counts->block, __ATOMIC_ACQUIRE),
		.address = address_of(call_counts_tag(object, 0)),
	};

	walk.number = __atomic_load_n(list_of(counts, walk.address), __ATOMIC_ACQUIRE);
	return walk;
}

/* NULL: no more. *tag: the row's tag as it was read. */
static struct row_tallies *walk_next(struct walk *walk, uint64_t *tag)
{
	while (walk->block && walk->number && walk->number <= walk->block->capacity &&
	       walk->steps++ < CALL_COUNTS_ROWS_MOST) {
		uint32_t at = walk->number - 1;
		struct row_tallies *row = (struct row_tallies *)store_rows(walk->block) + at;
		*tag = __atomic_load_n(&row->tag, __ATOMIC_ACQUIRE);
		walk->number = __atomic_load_n(&walk->counts->next[at], __ATOMIC_RELAXED);
		if (address_of(*tag) == walk->address)
			return row;
	}
	return NULL;
}

void call_counts_forget(struct call_counts *counts, const void *object)
{
	struct walk walk = walk_of(counts, object);
	struct row_tallies *row;
	uint64_t tag;

	while ((row = walk_next(&walk, &tag))) {
		/* not 0, which would end probing, and no address */
		uint64_t forgotten = UINT64_MAX << 8 | (tag & 0xff);
		__atomic_compare_exchange_n(&row->tag, &tag, forgotten, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	}
}

uint16_t call_counts_assign(struct call_counts *counts, const void *object, enum object_kind kind,
			    uint16_t number)
{
	struct walk walk = walk_of(counts, object);
	struct row_tallies *row;
	uint16_t before = 0;
	uint64_t tag;

	while ((row = walk_next(&walk, &tag))) {
		if (object_kind_of(tag & 0xff) != kind)
			continue;
		before = row->object;
		row->object = number;
	}
	return before;
}
