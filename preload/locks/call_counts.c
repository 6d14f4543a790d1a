/* SPDX-License-Identifier: MIT */
#include "preload/locks/call_counts.h"

#include "preload/base/hash.h"
#include "preload/file/store.h"
#include "preload/file/used_rows.h"
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

/* The table at one instant. */
struct table {
	uint64_t word; /* call_counts.table */
	struct row_tallies *rows;
	uint32_t count;  /* 0: there is none */
	uint32_t number; /* 1 for the smallest, 4 for the largest; 0: none */
};

static struct table table_of(const struct call_counts *counts)
{
	uint64_t word = __atomic_load_n(&counts->table, __ATOMIC_ACQUIRE);
	uint32_t count = word ? call_counts_mask(word) + 1 : 0;

	return (struct table){
		.word = word,
		.rows = call_counts_rows(word),
		.count = count,
		.number = count ? (uint32_t)(__builtin_ctz(count / FIRST_ROWS) / 2 + 1) : 0,
	};
}

static bool is_largest(const struct table *table)
{
	return table->count == CALL_COUNTS_ROWS_MOST;
}

void call_counts_prepare(struct call_counts *counts, uint32_t owner, uint32_t index)
{
	struct table before = table_of(counts);

	if (is_largest(&before))
		memset(counts->filter, 0, sizeof counts->filter);
	memset(counts->first, 0, sizeof counts->first);
	memset(counts->next, 0, before.count * sizeof *counts->next);
	counts->used = 0;
	counts->owner = owner;
	counts->index = index;
	counts->is_full = false;
	__atomic_store_n(&counts->table, 0, __ATOMIC_RELAXED);
}

/* No further object gets a row. Smaller tables never have that many. */
static bool is_closed(const struct call_counts *counts, const struct table *table)
{
	return used_rows_of(&counts->used, table->number) >= ROWS_GIVEN;
}

/* The lower 21 bits of the hash select a word and two of its bits; the upper 11 a row. */
static uint64_t filter_bits(uint32_t hash)
{
	return UINT64_C(1) << (hash >> 15 & 63) | UINT64_C(1) << (hash >> 9 & 63);
}

static uint32_t filter_word(uint32_t hash)
{
	return hash % CALL_COUNTS_FILTER_WORDS;
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

/* A row that is being filled, or whose object is gone: not 0, which would end probing, and no
 * address. */
static uint64_t tag_of_nobody(uint64_t tag)
{
	return UINT64_MAX << 8 | (tag & 0xff);
}

/* New sums begin in the larger block; the reader adds up rows with equal keys. False: there is no
 * larger one. */
static bool enlarge(struct call_counts *counts, const struct table *table)
{
	uint32_t wanted = table->count ? table->count * GROWTH : FIRST_ROWS;
	uint64_t seen = table->word;

	if (wanted > CALL_COUNTS_ROWS_MOST || !counts->owner)
		return false;
	struct format_block *block =
		store_block(TABLE_tallies, sizeof(struct row_tallies), counts->owner, 0, wanted);
	if (block && !__atomic_compare_exchange_n(&counts->table, &seen,
						  call_counts_table(store_rows(block), wanted),
						  false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		block->rows = block->capacity = 0; /* a handler has enlarged it meanwhile */
	return __atomic_load_n(&counts->table, __ATOMIC_RELAXED) != table->word;
}

/* The row without object and caller takes what has no row of its own: it may lie anywhere, and
 * there is always room for it, because others leave a quarter of the rows free. */
static bool is_last_resort(uint64_t tag, uint64_t caller)
{
	return !address_of(tag) && !caller;
}

static uint32_t count_probes(const struct table *table, uint64_t tag, uint64_t caller)
{
	if (is_last_resort(tag, caller))
		return table->count;
	return is_largest(table) ? PROBES_MOST : PROBES;
}

/* The row of that key, or a free one for it. *is_free: it was when it was looked at. */
static struct row_tallies *probe(const struct table *table, uint64_t tag, uint64_t caller,
				 bool *is_free)
{
	uint32_t at = call_counts_hash(tag, caller) >> 21;
	uint32_t probes = table->count ? count_probes(table, tag, caller) : 0;

	for (uint32_t i = 0; i < probes; i++, at++) {
		struct row_tallies *row = &table->rows[at & (table->count - 1)];
		uint64_t seen = __atomic_load_n(&row->tag, __ATOMIC_RELAXED);
		*is_free = !seen;
		if (!seen || (seen == tag && row->caller == caller))
			return row;
	}
	return NULL;
}

static uint16_t *list_of(struct call_counts *counts, uint64_t address)
{
	return &counts->first[hash_slot(address, CALL_COUNTS_LISTS)];
}

enum { ENTRY_BITS = 12 }; /* of a list's word: the row's number + 1 */

static uint32_t table_of_entry(uint16_t entry)
{
	return entry >> ENTRY_BITS;
}

static uint16_t entry_of(const struct table *table, uint32_t number)
{
	return (uint16_t)(table->number << ENTRY_BITS | number);
}

/* The row number + 1 of an entry; 0: none, or one of an earlier table. */
static uint32_t number_in(const struct table *table, uint16_t entry)
{
	return table_of_entry(entry) == table->number ? entry & ((1u << ENTRY_BITS) - 1) : 0;
}

/* False: it is in use by a later table. */
static bool set_next(uint16_t *next, const struct table *table, uint32_t following)
{
	uint16_t seen = __atomic_load_n(next, __ATOMIC_RELAXED);

	do {
		if (table_of_entry(seen) > table->number)
			return false;
	} while (!__atomic_compare_exchange_n(next, &seen, entry_of(table, following), false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

/* Rows of a table that a handler has replaced meanwhile are in no list. */
static void enter_list(struct call_counts *counts, const struct table *table,
		       const struct row_tallies *row, uint64_t address)
{
	uint32_t number = (uint32_t)(row - table->rows) + 1;
	uint16_t *first = list_of(counts, address);
	uint16_t seen = __atomic_load_n(first, __ATOMIC_RELAXED);

	do {
		if (table_of_entry(seen) > table->number ||
		    !set_next(&counts->next[number - 1], table, number_in(table, seen)))
			return;
	} while (!__atomic_compare_exchange_n(first, &seen, entry_of(table, number), false,
					      __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* What a row says besides its key. */
static struct row_tallies describe(uint64_t tag, uint64_t caller)
{
	enum operation operation = tag & 0xff;
	const void *address = (const void *)(tag >> 8);
	enum object_kind kind = object_kind_of(operation);
	uint64_t place = kind == OBJECT_JOIN ? (uint64_t)address | UNWIND_EXACT : caller;

	return (struct row_tallies){
		.object = address ? object_row(address, kind, place) : 0,
		.operation = (uint16_t)operation,
		.callpath = caller ? callpath_place(caller) : 0,
	};
}

/* Since `describe` the object may have been given a row of its own by a thread that did not find
 * this row in the list yet. */
static void settle(struct row_tallies *row, uint64_t tag)
{
	const void *address = (const void *)(tag >> 8);
	const struct object *object =
		address ? object_known(address, object_kind_of(tag & 0xff)) : NULL;

	if (!object || object->row == row->object || row->tag != tag)
		return;
	uint16_t before = __atomic_exchange_n(&row->object, object->row, __ATOMIC_RELAXED);
	if (before != object->row)
		object_leave_row(before);
}

/* The row for the call, or a free one for it, and the table that it is in. NULL: there is none. */
static struct row_tallies *find_or_give(struct call_counts *counts, struct table *table,
					uint64_t tag, uint64_t caller, bool *is_free)
{
	struct row_tallies *row;
	uint32_t used;

	do {
		*table = table_of(counts);
		row = probe(table, tag, caller, is_free);
		used = used_rows_of(&counts->used, table->number);
		/* tables are sparse, so that most calls find their row at the first probe */
		if (row && (!*is_free || used * 4 < table->count))
			return row;
	} while (enlarge(counts, table));
	return row && (is_last_resort(tag, caller) || used * 4 < table->count * 3) ? row : NULL;
}

/* Whoever writes the tag of a free row has it. False: a handler was quicker. */
static bool take_row(struct call_counts *counts, const struct table *table, struct row_tallies *row,
		     uint64_t tag)
{
	uint64_t nobody = 0;

	used_rows_add(&counts->used, table->number, 1);
	if (__atomic_compare_exchange_n(&row->tag, &nobody, tag_of_nobody(tag), false,
					__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return true;
	used_rows_add(&counts->used, table->number, -1);
	return false;
}

/* False: it was not free any more. The filter first: a row that exists is never missed; and the
 * lists before the tag: a row that is found is also forgotten. */
static bool begin_row(struct call_counts *counts, const struct table *table,
		      struct row_tallies *row, uint64_t tag, uint64_t caller)
{
	struct row_tallies made = describe(tag, caller);
	uint64_t address = address_of(tag);

	if (is_largest(table))
		enter_filter(counts, call_counts_hash(tag, caller));
	if (!take_row(counts, table, row, tag))
		return false;
	row->caller = caller;
	row->object = made.object;
	row->operation = made.operation;
	row->callpath = made.callpath;
	enter_list(counts, table, row, address);
	if (address)
		become_user(counts, address);
	__atomic_store_n(&row->tag, tag, __ATOMIC_RELEASE);
	if (address) {
		become_user(counts, address); /* again: after the tag, and before the look */
		settle(row, tag);
	}
	return true;
}

/* NULL: there is no room. */
static struct row_tallies *row_for(struct call_counts *counts, struct table *table, uint64_t tag,
				   uint64_t caller)
{
	struct row_tallies *row;
	bool is_free = false;

	do
		row = find_or_give(counts, table, tag, caller, &is_free);
	while (row && is_free && !begin_row(counts, table, row, tag, caller));
	return row;
}

/* Counts the call in the row of its operation without object. */
__attribute__((noinline)) static void count_without_row(struct call_counts *counts, uint64_t tag)
{
	uint64_t operation = tag & 0xff;
	struct table table;
	struct row_tallies *row = row_for(counts, &table, operation, 0);

	if (!row) {
		store_tell_missing();
		return;
	}
	counts->last_resort[operation] = (uint16_t)(row - table.rows);
	row->count++;
}

__attribute__((noinline)) static void count_slowly(struct call_counts *counts, uint64_t tag,
						   uint64_t caller)
{
	struct table table;

	if (!counts->owner)
		return; /* a wiped record: see thread.h */
	struct row_tallies *row = row_for(counts, &table, tag, caller);
	if (row) {
		row->count++;
		return;
	}
	/* once, because the counter is shared by all threads */
	if (!counts->is_full)
		store_count_loss();
	counts->is_full = true;
	count_without_row(counts, tag);
}

void call_counts_slow(struct call_counts *counts, uint64_t tag, uint64_t caller)
{
	struct table table = table_of(counts);
	uint64_t operation = tag & 0xff;
	uint32_t last = counts->last_resort[operation] & call_counts_mask(table.word);
	struct row_tallies *row = &table.rows[last];

	if (likely(is_closed(counts, &table) &&
		   !may_have_row(counts, call_counts_hash(tag, caller)) && row->tag == operation &&
		   !row->caller))
		row->count++;
	else
		count_slowly(counts, tag, caller);
}

/* Visits the rows of an object, by the owner or by another thread while the owner goes on counting:
 * what is read may be of another table than the one that it is looked up in. */
struct walk {
	struct call_counts *counts;
	struct table table;
	uint64_t address;
	uint16_t entry; /* of the next row */
	uint32_t steps;
};

static struct walk walk_of(struct call_counts *counts, const void *object)
{
	struct walk walk = {
		.counts = counts,
		.table = table_of(counts),
		.address = address_of(call_counts_tag(object, 0)),
	};

	walk.entry = __atomic_load_n(list_of(counts, walk.address), __ATOMIC_ACQUIRE);
	return walk;
}

/* NULL: no more. *tag: the row's tag as it was read. */
static struct row_tallies *walk_next(struct walk *walk, uint64_t *tag)
{
	uint32_t number;

	while ((number = number_in(&walk->table, walk->entry)) && number <= walk->table.count &&
	       walk->steps++ < CALL_COUNTS_ROWS_MOST) {
		struct row_tallies *row = &walk->table.rows[number - 1];
		*tag = __atomic_load_n(&row->tag, __ATOMIC_ACQUIRE);
		walk->entry = __atomic_load_n(&walk->counts->next[number - 1], __ATOMIC_RELAXED);
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
		__atomic_compare_exchange_n(&row->tag, &tag, tag_of_nobody(tag), false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

uint16_t call_counts_assign(struct call_counts *counts, const void *object, enum object_kind kind,
			    uint16_t number)
{
	struct walk walk = walk_of(counts, object);
	struct row_tallies *row;
	uint16_t before = 0;
	uint64_t tag;

	while ((row = walk_next(&walk, &tag)))
		if (object_kind_of(tag & 0xff) == kind)
			before = __atomic_exchange_n(&row->object, number, __ATOMIC_RELAXED);
	return before;
}
