/* SPDX-License-Identifier: MIT */
#include "analyze/model/account.h"

#include "analyze/memory.h"
#include "analyze/text_set.h"

#include <stdlib.h>
#include <string.h>

/* Rows stand in chunks that never move; the index is a hash table of row numbers + 1, at most half
 * full. */
#define CHUNK_ROWS 64
#define KEYS_MAX   8

struct account_rows {
	const struct account_table *table;
	char **chunks;
	size_t chunk_capacity, count;
	uint32_t *slots;
	size_t slot_count;
	size_t keys[KEYS_MAX]; /* offsets of the key columns, each of 8 bytes */
	size_t key_count;
};

size_t account_column_bytes(const struct account_column *column)
{
	switch (column->type) {
	case ACCOUNT_WIDE:
		return sizeof(account_WIDE);
	case ACCOUNT_CAUSES:
		return sizeof(account_CAUSES);
	case ACCOUNT_HIST:
		return sizeof(account_HIST);
	default:
		return sizeof(uint64_t);
	}
}

struct account_rows *account_rows_create(const struct account_table *table)
{
	struct account_rows *rows = memory_allocate(1, sizeof *rows);

	rows->table = table;
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].rule == ACCOUNT_KEY && rows->key_count < KEYS_MAX)
			rows->keys[rows->key_count++] = table->columns[i].offset;
	return rows;
}

void account_clear(struct account_rows *rows)
{
	for (size_t i = 0; i * CHUNK_ROWS < rows->count; i++)
		free(rows->chunks[i]);
	free(rows->chunks);
	free(rows->slots);
	rows->chunks = NULL;
	rows->slots = NULL;
	rows->chunk_capacity = rows->count = rows->slot_count = 0;
}

void account_rows_destroy(struct account_rows *rows)
{
	account_clear(rows);
	free(rows);
}

const struct account_table *account_table_of(const struct account_rows *rows)
{
	return rows->table;
}

size_t account_count(const struct account_rows *rows)
{
	return rows->count;
}

void *account_at(const struct account_rows *rows, size_t index)
{
	return rows->chunks[index / CHUNK_ROWS] + index % CHUNK_ROWS * rows->table->row_bytes;
}

/* ---- keys */

static uint64_t key_at(const void *row, size_t offset)
{
	uint64_t key;

	memcpy(&key, (const char *)row + offset, sizeof key);
	return key;
}

static size_t hash_keys(const struct account_rows *rows, const void *row)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < rows->key_count; i++) {
		hash = (hash ^ key_at(row, rows->keys[i])) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return (size_t)hash;
}

static bool has_keys(const struct account_rows *rows, const void *row, const void *probe)
{
	for (size_t i = 0; i < rows->key_count; i++)
		if (key_at(row, rows->keys[i]) != key_at(probe, rows->keys[i]))
			return false;
	return true;
}

/* The slot of the row with these keys, or the free one where it would stand. */
static uint32_t *find_slot(const struct account_rows *rows, const void *probe)
{
	size_t mask = rows->slot_count - 1, slot = hash_keys(rows, probe) & mask;

	while (rows->slots[slot] && !has_keys(rows, account_at(rows, rows->slots[slot] - 1), probe))
		slot = (slot + 1) & mask;
	return &rows->slots[slot];
}

static void make_slots(struct account_rows *rows)
{
	if (rows->slot_count && 2 * rows->count < rows->slot_count)
		return;
	free(rows->slots);
	rows->slot_count = rows->slot_count ? 2 * rows->slot_count : 64;
	rows->slots = memory_allocate(rows->slot_count, sizeof *rows->slots);
	for (size_t i = 0; i < rows->count; i++)
		*find_slot(rows, account_at(rows, i)) = (uint32_t)i + 1;
}

/* ---- adding */

static void *append(struct account_rows *rows)
{
	if (rows->count % CHUNK_ROWS == 0) {
		size_t chunk = rows->count / CHUNK_ROWS;

		rows->chunks = memory_grow(rows->chunks, chunk, &rows->chunk_capacity,
					   sizeof *rows->chunks);
		rows->chunks[chunk] = memory_allocate(CHUNK_ROWS, rows->table->row_bytes);
	}
	return account_at(rows, rows->count++);
}

static void set_nothing(const struct account_column *column, char *row)
{
	static const char *const nothing = text_nothing;
	const uint64_t none = ACCOUNT_NONE;

	if (column->type == ACCOUNT_TEXT)
		memcpy(row + column->offset, &nothing, sizeof nothing);
	else if (column->type == ACCOUNT_ROUTINE || column->type == ACCOUNT_PROCESS)
		memcpy(row + column->offset, &none, sizeof none);
}

static void *append_keys(struct account_rows *rows, const void *probe)
{
	const struct account_table *table = rows->table;
	char *row = append(rows);

	for (size_t i = 0; i < table->column_count; i++) {
		const struct account_column *column = &table->columns[i];

		if (column->rule == ACCOUNT_KEY)
			memcpy(row + column->offset, (const char *)probe + column->offset,
			       sizeof(uint64_t));
		else
			set_nothing(column, row);
	}
	return row;
}

void *account_find(const struct account_rows *rows, const void *probe)
{
	uint32_t number = rows->slot_count ? *find_slot(rows, probe) : 0;

	return number ? account_at(rows, number - 1) : NULL;
}

void *account_row(struct account_rows *rows, const void *probe)
{
	make_slots(rows);
	uint32_t *slot = find_slot(rows, probe);

	if (*slot)
		return account_at(rows, *slot - 1);
	*slot = (uint32_t)rows->count + 1;
	return append_keys(rows, probe);
}

/* ---- uniting */

static void add_wide(char *to, const char *from)
{
	account_WIDE sum, added;

	memcpy(&sum, to, sizeof sum);
	memcpy(&added, from, sizeof added);
	sum += added;
	memcpy(to, &sum, sizeof sum);
}

static void add_numbers(char *to, const char *from, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
		uint64_t sum = key_at(to, at) + key_at(from, at);

		memcpy(to + at, &sum, sizeof sum);
	}
}

/* Unites one column; returns whether those that go with it are to be taken over. */
static bool unite(const struct account_column *column, char *row, const char *added, bool is_better)
{
	char *to = row + column->offset;
	const char *from = added + column->offset;
	size_t bytes = account_column_bytes(column);

	switch (column->rule) {
	case ACCOUNT_SUM:
		if (column->type == ACCOUNT_WIDE)
			add_wide(to, from);
		else
			add_numbers(to, from, bytes);
		return is_better;
	case ACCOUNT_MIN:
		is_better = key_at(from, 0) < key_at(to, 0);
		break;
	case ACCOUNT_MAX:
		is_better = key_at(from, 0) > key_at(to, 0);
		break;
	case ACCOUNT_WITH:
		break;
	default:
		return is_better;
	}
	if (is_better)
		memcpy(to, from, bytes);
	return is_better;
}

void *account_add(struct account_rows *rows, const void *added)
{
	const struct account_table *table = rows->table;
	uint32_t *slot = NULL;
	bool is_better = false;

	if (rows->key_count) {
		make_slots(rows);
		slot = find_slot(rows, added);
	}
	if (!slot || !*slot) {
		if (slot)
			*slot = (uint32_t)rows->count + 1;
		return memcpy(append(rows), added, table->row_bytes);
	}
	char *row = account_at(rows, *slot - 1);

	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].type != ACCOUNT_SCRATCH)
			is_better = unite(&table->columns[i], row, added, is_better);
	return row;
}
