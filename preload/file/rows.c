/* SPDX-License-Identifier: MIT */
#include "preload/file/rows.h"

#include "preload/base/hash.h"
#include "preload/base/likely.h"

#include <string.h>

/* ---- row_array ---- */

static struct format_block *row_array_block(struct row_array *series, uint32_t index)
{
	struct format_block *block;

	if (unlikely(index >= SERIES_BLOCKS))
		return NULL;
	block = __atomic_load_n(&series->blocks[index], __ATOMIC_ACQUIRE);
	if (likely(block))
		return block;
	struct format_block *made =
		store_block(series->table, series->row_bytes, FORMAT_NO_OWNER,
			    index * series->rows_per_block, series->rows_per_block);
	if (!made)
		return NULL;
	if (__atomic_compare_exchange_n(&series->blocks[index], &block, made, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	/* another thread was quicker: this block stays in the file, and holds no rows */
	made->rows = made->capacity = 0;
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
	memset(series->blocks, 0, sizeof series->blocks);
	series->next = 1;
}

/* ---- row_hash ---- */

/* What a table points to before it has a block: one row without a key, which counts as used. */
static uint64_t no_rows[32];

void row_hash_prepare(struct row_hash *hashed, enum schema_table table, uint32_t row_bytes,
		      uint32_t owner, uint32_t first, uint32_t limit)
{
	*hashed = (struct row_hash){
		.rows = no_rows,
		.capacity = 1,
		.used = 1,
		.limit = limit,
		.first = first,
		.owner = owner,
		.table = (uint16_t)table,
		.row_bytes = (uint16_t)row_bytes,
	};
}

/* Also false for a table of zeros, which a wiped record has (thread.h); its limit is 0 too. */
static inline bool has_rows(const struct row_hash *hashed)
{
	return likely(hashed->capacity > 1);
}

static inline uint64_t *row_at(const struct row_hash *hashed, uint32_t index)
{
	return (void *)((char *)hashed->rows + (size_t)index * hashed->row_bytes);
}

/* Capacities are powers of two, so a multiplicative hash and a mask are enough. */
static uint64_t *probe(const struct row_hash *hashed, uint64_t key)
{
	uint32_t mask = hashed->capacity - 1;
	uint32_t index = hash_bits(key) >> 8 & mask;

	for (uint32_t i = 0; i <= mask; i++, index = (index + 1) & mask) {
		uint64_t *row = row_at(hashed, index);
		if (*row == key || *row == 0)
			return row;
	}
	return NULL;
}

static bool enlarge(struct row_hash *hashed)
{
	bool is_first = hashed->rows == no_rows;
	uint32_t capacity = is_first ? hashed->first : hashed->capacity * 4;

	if (capacity > hashed->limit)
		return false;
	struct format_block *block =
		store_block(hashed->table, hashed->row_bytes, hashed->owner, 0, capacity);
	if (!block)
		return false;
	hashed->rows = store_rows(block);
	hashed->capacity = capacity;
	hashed->used = 0;
	return true;
}

static uint64_t *insert(struct row_hash *hashed, uint64_t *row, uint64_t key)
{
	hashed->used++;
	__atomic_store_n(row, key, __ATOMIC_RELEASE);
	return row;
}

/* May a key with so many fallbacks get a new row? In a table that cannot grow, room is kept for the
 * fallbacks. */
static bool has_room(const struct row_hash *hashed, unsigned fallbacks)
{
	uint32_t capacity = hashed->capacity;
	uint32_t kept = fallbacks == 0 ? 0 : fallbacks == 1 ? capacity / 8 : capacity / 4;

	return has_rows(hashed) && hashed->used + (kept < fallbacks ? fallbacks : kept) < capacity;
}

static bool is_crowded(const struct row_hash *hashed)
{
	return hashed->used >= hashed->capacity - hashed->capacity / 4;
}

static void *find(struct row_hash *hashed, uint64_t key, unsigned fallbacks)
{
	uint64_t *row = has_rows(hashed) ? probe(hashed, key) : NULL;

	if (likely(row && *row == key))
		return row;
	if (unlikely(!hashed->limit))
		return NULL;
	if (is_crowded(hashed)) {
		if (enlarge(hashed))
			row = probe(hashed, key);
		else if (!has_room(hashed, fallbacks))
			return NULL;
	}
	return row ? insert(hashed, row, key) : NULL;
}

void *row_hash_seek(const struct row_hash *hashed, uint64_t key)
{
	uint64_t *row = has_rows(hashed) ? probe(hashed, key) : NULL;

	return row && *row == key ? row : NULL;
}

void *row_hash_find_first(struct row_hash *hashed, const uint64_t *keys, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		void *row = find(hashed, keys[i], count - 1 - i);
		if (likely(row))
			return row;
		if (i == 0 && hashed->limit)
			store_count_loss();
	}
	return NULL;
}

void *row_hash_find(struct row_hash *hashed, uint64_t key, uint64_t fallback)
{
	uint64_t keys[] = {key, fallback};

	return row_hash_find_first(hashed, keys, key == fallback ? 1 : 2);
}
