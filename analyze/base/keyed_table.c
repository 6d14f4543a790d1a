/* SPDX-License-Identifier: MIT */
#include "analyze/base/keyed_table.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

/* The hash is stored, since libiberty asks for that of every entry when its table grows. */
struct entry {
	size_t number;
	hashval_t hash;
	max_align_t row[];
};

struct keyed_table {
	size_t row_bytes, key_bytes;
	unsigned (*hash)(const void *row); /* NULL: key_bytes decides */
	bool (*are_equal)(const void *a, const void *b);
	htab_t index;
	struct entry **entries;
	size_t count, capacity;
};

struct wanted {
	const struct keyed_table *table;
	const void *probe;
	hashval_t hash;
};

static hashval_t hash_of_entry(const void *entry)
{
	return ((const struct entry *)entry)->hash;
}

static int is_wanted(const void *entry, const void *data)
{
	const struct wanted *wanted = data;
	const struct keyed_table *table = wanted->table;
	const void *row = ((const struct entry *)entry)->row;

	if (hash_of_entry(entry) != wanted->hash)
		return 0;
	return table->hash ? table->are_equal(row, wanted->probe)
			   : !memcmp(row, wanted->probe, table->key_bytes);
}

static struct wanted want(const struct keyed_table *table, const void *probe)
{
	return (struct wanted){table, probe,
			       table->hash ? table->hash(probe)
					   : hash_bytes(probe, table->key_bytes, 0)};
}

static struct entry *append(struct keyed_table *table, const struct wanted *wanted)
{
	struct entry *entry = memory_allocate(1, sizeof *entry + table->row_bytes);

	entry->number = table->count;
	entry->hash = wanted->hash;
	memcpy(entry->row, wanted->probe, table->row_bytes);
	table->entries =
		memory_grow(table->entries, table->count, &table->capacity, sizeof(struct entry *));
	return table->entries[table->count++] = entry;
}

static struct entry *enter(struct keyed_table *table, const void *probe)
{
	struct wanted wanted = want(table, probe);
	void **slot = htab_find_slot_with_hash(table->index, &wanted, wanted.hash, INSERT);

	if (!*slot)
		*slot = append(table, &wanted);
	return *slot;
}

void *keyed_table_find(const struct keyed_table *table, const void *probe)
{
	struct wanted wanted = want(table, probe);
	struct entry *entry = htab_find_with_hash(table->index, &wanted, wanted.hash);

	return entry ? entry->row : NULL;
}

void *keyed_table_enter(struct keyed_table *table, const void *probe, bool *is_new)
{
	size_t known = table->count;
	struct entry *entry = enter(table, probe);

	if (is_new)
		*is_new = table->count > known;
	return entry->row;
}

size_t keyed_table_number(struct keyed_table *table, const void *probe)
{
	return enter(table, probe)->number;
}

size_t keyed_table_count(const struct keyed_table *table)
{
	return table->count;
}

void *keyed_table_row(const struct keyed_table *table, size_t number)
{
	return table->entries[number]->row;
}

static struct keyed_table *create(struct keyed_table kind)
{
	struct keyed_table *table = memory_allocate(1, sizeof *table);

	*table = kind;
	table->index = htab_create_alloc(64, hash_of_entry, is_wanted, free, memory_allocate, free);
	return table;
}

struct keyed_table *keyed_table_create(size_t row_bytes, size_t key_bytes)
{
	return create((struct keyed_table){.row_bytes = row_bytes, .key_bytes = key_bytes});
}

struct keyed_table *keyed_table_create_by(size_t row_bytes, unsigned (*hash)(const void *row),
					  bool (*are_equal)(const void *a, const void *b))
{
	return create(
		(struct keyed_table){.row_bytes = row_bytes, .hash = hash, .are_equal = are_equal});
}

void keyed_table_destroy(struct keyed_table *table)
{
	if (!table)
		return;
	htab_delete(table->index);
	free(table->entries);
	free(table);
}
