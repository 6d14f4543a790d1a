/* SPDX-License-Identifier: MIT */
#include "preload/file/rows.h"

#include "preload/base/hash.h"
#include "preload/base/likely.h"

#include <string.h>

/* ---- row_array ---- */

static void note_made(struct row_array *series, uint32_t count)
{
	uint32_t made = __atomic_load_n(&series->made, __ATOMIC_RELAXED);

	while (made < count && !__atomic_compare_exchange_n(&series->made, &made, count, false,
							    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Of several threads, or of this one and a handler that interrupts it, the first one's block is the
 * series'; the others stay in the file, and hold no rows. */
static struct format_block *make_block(struct row_array *series, uint32_t index)
{
	struct format_block *first = NULL;
	struct format_block *made =
		store_block_hidden(series->table, series->row_bytes, FORMAT_NO_OWNER,
				   index * series->rows_per_block, series->rows_per_block);
	if (!made)
		return NULL;
	note_made(series, index + 1);
	return __atomic_compare_exchange_n(&series->blocks[index], &first, made, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
		       ? made
		       : first;
}

static struct format_block *row_array_block(struct row_array *series, uint32_t index)
{
	if (unlikely(index >= SERIES_BLOCKS))
		return NULL;
	struct format_block *block = __atomic_load_n(&series->blocks[index], __ATOMIC_ACQUIRE);
	if (unlikely(!block))
		block = make_block(series, index);
	/* by whoever made it, unless a handler's jump has left that */
	if (unlikely(block && !__atomic_load_n(&block->capacity, __ATOMIC_RELAXED)))
		store_show_rows(block, series->rows_per_block);
	return block;
}

void *row_array_row(const struct row_array *series, uint32_t number)
{
	struct format_block *block =
		__atomic_load_n(&series->blocks[number / series->rows_per_block], __ATOMIC_ACQUIRE);

	return (char *)store_rows(block) + number % series->rows_per_block * series->row_bytes;
}

void *row_array_add(struct row_array *series, uint32_t *number)
{
	uint32_t next = __atomic_load_n(&series->next, __ATOMIC_RELAXED);

	do {
		if (next >= series->limit ||
		    !row_array_block(series, next / series->rows_per_block)) {
			store_count_loss();
			return NULL;
		}
	} while (!__atomic_compare_exchange_n(&series->next, &next, next + 1, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	*number = next;
	return row_array_row(series, next);
}

bool row_array_prepare(struct row_array *series, uint32_t number)
{
	return number < series->limit &&
	       row_array_block(series, number / series->rows_per_block) != NULL;
}

void row_array_reset(struct row_array *series)
{
	/* what was never written is left alone: each page of it would be one more of the process */
	if (series->made) {
		memset(series->blocks, 0, series->made * sizeof *series->blocks);
		series->made = 0;
	}
	if (series->next != 1)
		series->next = 1;
}

/* ---- row_hash ---- */

void row_hash_prepare(struct row_hash *hashed, enum schema_table table, uint32_t row_bytes,
		      uint32_t owner, uint32_t first, uint32_t limit)
{
	*hashed = (struct row_hash){
		.limit = limit,
		.first = first,
		.owner = owner,
		.table = (uint16_t)table,
		.row_bytes = (uint16_t)row_bytes,
	};
}

/* The table at one instant. */
struct view {
	uint64_t place; /* row_hash.place */
	char *rows;
	uint32_t size, capacity; /* size: the logarithm of the capacity + 1; 0: no rows */
	uint32_t row_bytes;
};

static inline struct view view_of(const struct row_hash *hashed)
{
	uint64_t place = __atomic_load_n(&hashed->place, __ATOMIC_RELAXED);
	uint32_t size = row_hash_size(place);

	return (struct view){
		.place = place,
		.rows = (char *)(place - size),
		.size = size,
		.capacity = size ? 1u << (size - 1) : 0,
		.row_bytes = hashed->row_bytes,
	};
}

/* Also false for a table of zeros, which a wiped record has (thread.h); its limit is 0 too. */
static inline bool has_rows(const struct view *view)
{
	return likely(view->size != 0);
}

/* Capacities are powers of two, so a multiplicative hash and a mask are enough. *found: the row's
 * key when it was looked at. NULL: neither that key's nor a free one. */
static uint64_t *probe(const struct view *view, uint64_t key, uint64_t *found)
{
	uint32_t mask = view->capacity - 1;
	uint32_t index = hash_bits(key) >> 8 & mask;

	for (uint32_t i = 0; has_rows(view) && i <= mask; i++, index = (index + 1) & mask) {
		uint64_t *row = (void *)(view->rows + (size_t)index * view->row_bytes);
		*found = __atomic_load_n(row, __ATOMIC_RELAXED);
		if (*found == key || *found == 0)
			return row;
	}
	return NULL;
}

/* False: there is no larger one. */
static bool enlarge(struct row_hash *hashed, const struct view *view)
{
	uint32_t capacity = has_rows(view) ? view->capacity * 4 : hashed->first;
	uint64_t seen = view->place;

	if (capacity > hashed->limit)
		return false;
	struct format_block *block =
		store_block(hashed->table, hashed->row_bytes, hashed->owner, 0, capacity);
	if (block) {
		uint64_t place =
			(uint64_t)store_rows(block) + (uint32_t)__builtin_ctz(capacity) + 1;
		if (!__atomic_compare_exchange_n(&hashed->place, &seen, place, false,
						 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			block->rows = block->capacity = 0; /* a handler was quicker */
	}
	return __atomic_load_n(&hashed->place, __ATOMIC_RELAXED) != view->place;
}

/* Whoever writes the key of a free row has it. False: a handler was quicker. */
static bool insert(struct row_hash *hashed, const struct view *view, uint64_t *row, uint64_t key)
{
	uint64_t nobody = 0;

	used_rows_add(&hashed->used, view->size, 1);
	if (__atomic_compare_exchange_n(row, &nobody, key, false, __ATOMIC_RELEASE,
					__ATOMIC_RELAXED))
		return true;
	used_rows_add(&hashed->used, view->size, -1);
	return false;
}

/* May a key with so many fallbacks get a new row? In a table that cannot grow, room is kept for the
 * fallbacks. */
static bool has_room(const struct view *view, uint32_t used, unsigned fallbacks)
{
	uint32_t capacity = view->capacity;
	uint32_t kept = fallbacks == 0 ? 0 : fallbacks == 1 ? capacity / 8 : capacity / 4;

	return has_rows(view) && used + (kept < fallbacks ? fallbacks : kept) < capacity;
}

static bool is_crowded(const struct view *view, uint32_t used)
{
	return !has_rows(view) || used >= view->capacity - view->capacity / 4;
}

static void *find(struct row_hash *hashed, uint64_t key, unsigned fallbacks, bool may_grow)
{
	uint64_t found = 0;

	for (;;) {
		struct view view = view_of(hashed);
		uint64_t *row = probe(&view, key, &found);
		if (likely(row && found == key))
			return row;
		if (unlikely(!hashed->limit))
			return NULL;
		uint32_t used = used_rows_of(&hashed->used, view.size);
		if (is_crowded(&view, used)) {
			if (may_grow && enlarge(hashed, &view))
				continue;
			if (!has_room(&view, used, fallbacks))
				return NULL;
		}
		if (!row || insert(hashed, &view, row, key))
			return row;
	}
}

void *row_hash_seek(const struct row_hash *hashed, uint64_t key)
{
	struct view view = view_of(hashed);
	uint64_t found = 0, *row = probe(&view, key, &found);

	return row && found == key ? row : NULL;
}

static bool has_grown(struct row_hash *hashed)
{
	struct view view = view_of(hashed);

	return is_crowded(&view, used_rows_of(&hashed->used, view.size)) && enlarge(hashed, &view);
}

/* A lesser key is for a table that is full. Where only the file had no room, as another thread made
 * it larger for too long, there may be room by now: then it is the first key's. Otherwise a wait
 * would be counted with its object, and the blame for it without. */
void *row_hash_find_first(struct row_hash *hashed, const uint64_t *keys, unsigned count)
{
	unsigned i = 0;
	void *row;

	while (!(row = find(hashed, keys[i], count - 1 - i, i == 0)) && ++i < count)
		if (hashed->limit && has_grown(hashed))
			i = 0;
	if (unlikely(i > 0) && hashed->limit)
		store_count_loss();
	if (unlikely(!row) && hashed->limit)
		store_tell_missing();
	return row;
}

void *row_hash_find(struct row_hash *hashed, uint64_t key, uint64_t fallback)
{
	uint64_t keys[] = {key, fallback};

	return row_hash_find_first(hashed, keys, key == fallback ? 1 : 2);
}
