/* SPDX-License-Identifier: MIT */
#include "preload/locks/tally.h"

#include "preload/base/hash.h"
#include "preload/file/store.h"
#include "preload/locks/objects.h"
#include "preload/stacks/callpath.h"

#include <stdbool.h>
#include <string.h>

enum {
	FIRST_ROWS = 32,
	PROBES = 8,
	PROBES_MOST = 256, /* in the largest table, after which there is no other */
	ROWS_GIVEN = TALLY_ROWS_MOST / 4 * 3, /* of the largest table */
	GROWTH = 4,
	USERS = 16384,
};

/* By hash of an object's address: who has counted it. Bits are only ever set. */
static uint64_t users[USERS];

struct row_tallies tally_no_rows[2];

static uint64_t address_of(uint64_t tag)
{
	return tag >> 8;
}

uint64_t tally_users(const void *object)
{
	uint64_t address = address_of(tally_tag(object, 0));

	return __atomic_fetch_or(&users[hash_slot(address, USERS)], 0, __ATOMIC_ACQ_REL);
}

/* Who gives an object a row of its own asks for users afterwards: both change the word, so that one
 * of them sees what the other did before (settle, object_life.c). */
static void become_user(const struct tally *tally, uint64_t address)
{
	__atomic_fetch_or(&users[hash_slot(address, USERS)], 1ull << tally->index % 64,
			  __ATOMIC_ACQ_REL);
}

static void clear_lists(struct tally *tally)
{
	for (int i = 0; i < TALLY_LISTS; i++)
		__atomic_store_n(&tally->first[i], 0, __ATOMIC_RELAXED);
}

void tally_prepare(struct tally *tally, uint32_t owner, uint32_t index)
{
	tally->distance = 0;
	tally->mask = tally->used = 0;
	tally->owner = owner;
	tally->index = index;
	tally->is_full = false;
	__atomic_store_n(&tally->block, NULL, __ATOMIC_RELAXED);
	clear_lists(tally);
}

static uint32_t row_count(const struct tally *tally)
{
	return tally->distance ? tally->mask + 1 : 0;
}

static bool is_largest(const struct tally *tally)
{
	return row_count(tally) == TALLY_ROWS_MOST;
}

/* No object will get a row any more. Smaller tables never have that many. */
static bool is_closed(const struct tally *tally)
{
	return tally->used >= ROWS_GIVEN;
}

/* The upper 21 bits of the hash say which word and which two of its bits; a row's place is said by
 * the lower 11. */
static uint64_t filter_bits(uint32_t hash)
{
	return UINT64_C(1) << (hash >> 26) | UINT64_C(1) << (hash >> 20 & 63);
}

static uint32_t filter_word(uint32_t hash)
{
	return (hash >> 11) % TALLY_FILTER_WORDS;
}

static bool may_have_row(const struct tally *tally, uint32_t hash)
{
	uint64_t bits = filter_bits(hash);

	return (tally->filter[filter_word(hash)] & bits) == bits;
}

/* In one instruction, for a signal handler may do so in between. */
static void enter_filter(struct tally *tally, uint32_t hash)
{
	__atomic_fetch_or(&tally->filter[filter_word(hash)], filter_bits(hash), __ATOMIC_RELAXED);
}

/* New sums begin in the larger block; the reader unites rows with equal keys. */
static bool enlarge(struct tally *tally)
{
	uint32_t count = row_count(tally);
	uint32_t wanted = count ? count * GROWTH : FIRST_ROWS;

	if (wanted > TALLY_ROWS_MOST)
		return false;
	struct format_block *block =
		store_block(TABLE_tallies, sizeof(struct row_tallies), tally->owner, 0, wanted);
	if (!block)
		return false;
	if (wanted == TALLY_ROWS_MOST)
		memset(tally->filter, 0, sizeof tally->filter);
	tally->distance = (char *)store_rows(block) - (char *)tally_no_rows;
	tally->mask = wanted - 1;
	tally->used = 0;
	clear_lists(tally);
	__atomic_store_n(&tally->block, block, __ATOMIC_RELEASE);
	return true;
}

/* A row without object and caller takes what no other row could: it may lie anywhere, and finds
 * a place always, because others leave a quarter of the rows free. */
static bool is_last_resort(uint64_t tag, uint64_t caller)
{
	return !(tag >> 8) && !caller;
}

static uint32_t count_probes(const struct tally *tally, uint64_t tag, uint64_t caller)
{
	if (is_last_resort(tag, caller))
		return row_count(tally);
	return is_largest(tally) ? PROBES_MOST : PROBES;
}

static struct row_tallies *probe(struct tally *tally, uint64_t tag, uint64_t caller)
{
	uint32_t at = tally_hash(tag, caller);
	uint32_t probes = count_probes(tally, tag, caller);

	for (uint32_t i = 0; i < probes; i++, at++) {
		struct row_tallies *row = tally_row(tally, at);
		if ((row->tag == tag && row->caller == caller) || !row->tag)
			return row;
	}
	return NULL;
}

static uint16_t *list_of(struct tally *tally, uint64_t address)
{
	return &tally->first[hash_slot(address, TALLY_LISTS)];
}

static void enter_list(struct tally *tally, const struct row_tallies *row, uint64_t address)
{
	uint16_t *first = list_of(tally, address);
	uint32_t number = (uint32_t)(row - tally_row(tally, 0));

	__atomic_store_n(&tally->next[number], *first, __ATOMIC_RELAXED);
	__atomic_store_n(first, (uint16_t)(number + 1), __ATOMIC_RELEASE);
	if (address)
		become_user(tally, address);
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

/* The object may have got a row of its own since fill, by a thread that did not find this one in
 * the list yet. */
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

/* A row that is still to be had; NULL: there is none. */
static struct row_tallies *find_or_give(struct tally *tally, uint64_t tag, uint64_t caller)
{
	struct row_tallies *row = row_count(tally) ? probe(tally, tag, caller) : NULL;

	/* sparse tables: most calls then find their row at the first look */
	while (!row || (!row->tag && tally->used * 4 >= row_count(tally))) {
		if (!enlarge(tally))
			break;
		row = probe(tally, tag, caller);
	}
	if (row && !row->tag && !is_last_resort(tag, caller) &&
	    tally->used * 4 >= row_count(tally) * 3)
		return NULL;
	return row;
}

/* The filter first: once a row is there it is never missed. */
static void begin_row(struct tally *tally, struct row_tallies *row, uint64_t tag, uint64_t caller)
{
	if (is_largest(tally))
		enter_filter(tally, tally_hash(tag, caller));
	fill(row, tag, caller);
	enter_list(tally, row, tag >> 8);
	settle(row, tag);
	tally->used++;
}

/* The row of the operation without object takes it. */
__attribute__((noinline)) static void count_without_row(struct tally *tally, uint64_t tag)
{
	uint64_t operation = tag & 0xff;
	struct row_tallies *row = find_or_give(tally, operation, 0);

	if (!row)
		return;
	if (!row->tag)
		begin_row(tally, row, operation, 0);
	tally->last_resort[operation] = (uint16_t)(row - tally_row(tally, 0));
	row->count++;
}

__attribute__((noinline)) static void count_slowly(struct tally *tally, uint64_t tag,
						   uint64_t caller)
{
	if (!tally->owner)
		return; /* a record that was wiped: see thread.h */
	struct row_tallies *row = find_or_give(tally, tag, caller);
	if (!row) {
		/* once: the counter is shared by all threads, and would be written for each call */
		if (!tally->is_full)
			store_count_loss();
		tally->is_full = true;
		count_without_row(tally, tag);
		return;
	}
	if (!row->tag)
		begin_row(tally, row, tag, caller);
	row->count++;
}

void tally_slow(struct tally *tally, uint64_t tag, uint64_t caller)
{
	uint64_t operation = tag & 0xff;
	struct row_tallies *row = tally_row(tally, tally->last_resort[operation]);

	if (likely(is_closed(tally) && !may_have_row(tally, tally_hash(tag, caller)) &&
		   row->tag == operation && !row->caller))
		row->count++;
	else
		count_slowly(tally, tag, caller);
}

/* The rows of an object one after the other, by the owner, or by any other thread while that one
 * goes on counting: what is read may be old, so that a row's number is checked against the block
 * that it is looked up in. */
struct walk {
	struct tally *tally;
	struct format_block *block;
	uint64_t address;
	uint32_t number; /* of the next row + 1 */
	uint32_t steps;
};

static struct walk walk_of(struct tally *tally, const void *object)
{
	struct walk walk = {
		.tally = tally,
		.block = __atomic_load_n(&tally->block, __ATOMIC_ACQUIRE),
		.address = address_of(tally_tag(object, 0)),
	};

	walk.number = __atomic_load_n(list_of(tally, walk.address), __ATOMIC_ACQUIRE);
	return walk;
}

/* NULL: no more. *tag: what its tag was. */
static struct row_tallies *walk_next(struct walk *walk, uint64_t *tag)
{
	while (walk->block && walk->number && walk->number <= walk->block->capacity &&
	       walk->steps++ < TALLY_ROWS_MOST) {
		uint32_t at = walk->number - 1;
		struct row_tallies *row = (struct row_tallies *)store_rows(walk->block) + at;
		*tag = __atomic_load_n(&row->tag, __ATOMIC_ACQUIRE);
		walk->number = __atomic_load_n(&walk->tally->next[at], __ATOMIC_RELAXED);
		if (address_of(*tag) == walk->address)
			return row;
	}
	return NULL;
}

void tally_forget(struct tally *tally, const void *object)
{
	struct walk walk = walk_of(tally, object);
	struct row_tallies *row;
	uint64_t tag;

	while ((row = walk_next(&walk, &tag))) {
		/* not 0, which would break lists of probes, and no address */
		uint64_t forgotten = UINT64_MAX << 8 | (tag & 0xff);
		__atomic_compare_exchange_n(&row->tag, &tag, forgotten, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	}
}

uint16_t tally_assign(struct tally *tally, const void *object, enum object_kind kind,
		      uint16_t number)
{
	struct walk walk = walk_of(tally, object);
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
