/* SPDX-License-Identifier: MIT */
#include "analyze/tables/table_merge.h"

#include "analyze/base/memory.h"

#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

struct merged_row {
	const struct table_schema
		*schema; /* for the hash table's functions, which see nothing else */
	uint32_t owner;
	unsigned char *bytes;
};

struct row_set {
	const struct table_schema *schema;
	struct merged_row **rows;
	size_t count;
	size_t capacity;
	htab_t by_key;
};

static size_t column_bytes(const struct schema_column *column)
{
	return (size_t)column->element_bytes * column->elements;
}

static hashval_t hash_row(const void *entry)
{
	const struct merged_row *row = entry;
	hashval_t hash = row->owner;

	for (size_t i = 0; i < row->schema->column_count; i++) {
		const struct schema_column *column = &row->schema->columns[i];

		if (column->merge == MERGE_KEY)
			hash = iterative_hash(row->bytes + column->offset, column_bytes(column),
					      hash);
	}
	return hash;
}

static int rows_equal(const void *left, const void *right)
{
	const struct merged_row *a = left, *b = right;

	if (a->owner != b->owner)
		return 0;
	for (size_t i = 0; i < a->schema->column_count; i++) {
		const struct schema_column *column = &a->schema->columns[i];

		if (column->merge == MERGE_KEY &&
		    memcmp(a->bytes + column->offset, b->bytes + column->offset,
			   column_bytes(column)))
			return 0;
	}
	return 1;
}

static uint64_t unite_integers(enum merge_rule rule, uint64_t old, uint64_t added)
{
	switch (rule) {
	case MERGE_SUM:
		return old + added;
	case MERGE_MIN:
		return added < old ? added : old;
	case MERGE_MAX:
		return added > old ? added : old;
	case MERGE_LAST:
		return added;
	default:
		return old;
	}
}

static void unite_column(const struct schema_column *column, unsigned char *row,
			 const unsigned char *added)
{
	if (column->type == COLUMN_INTEGER) {
		for (uint32_t i = 0; i < column->elements; i++) {
			uint64_t old = schema_read_integer(column, row, i);
			uint64_t value = unite_integers(column->merge, old,
							schema_read_integer(column, added, i));

			schema_write_integer(column, row, i, value);
		}
	} else if (column->merge == MERGE_LAST) {
		memcpy(row + column->offset, added + column->offset, column_bytes(column));
	}
}

struct row_set *row_set_create(const struct table_schema *schema)
{
	struct row_set *set = memory_allocate(1, sizeof *set);

	set->schema = schema;
	set->by_key = htab_create_alloc(64, hash_row, rows_equal, NULL, memory_allocate, free);
	return set;
}

void row_set_destroy(struct row_set *set)
{
	htab_delete(set->by_key);
	for (size_t i = 0; i < set->count; i++)
		free(set->rows[i]);
	free(set->rows);
	free(set);
}

static void append_row(struct row_set *set, void **slot, const struct merged_row *probe)
{
	struct merged_row *row = memory_allocate(1, sizeof *row + set->schema->row_bytes);

	*row = *probe;
	row->bytes = (unsigned char *)(row + 1);
	memcpy(row->bytes, probe->bytes, set->schema->row_bytes);
	*slot = row;
	set->rows = memory_grow(set->rows, set->count, &set->capacity, sizeof *set->rows);
	set->rows[set->count++] = row;
}

void row_set_add(struct row_set *set, const unsigned char *bytes, uint32_t owner)
{
	/* The probe only reads its bytes. */
	struct merged_row probe = {
		.schema = set->schema, .owner = owner, .bytes = (unsigned char *)bytes};
	void **slot = htab_find_slot(set->by_key, &probe, INSERT);

	if (!*slot) {
		append_row(set, slot, &probe);
		return;
	}
	struct merged_row *row = *slot;

	for (size_t i = 0; i < set->schema->column_count; i++)
		unite_column(&set->schema->columns[i], row->bytes, bytes);
}

size_t row_set_count(const struct row_set *set)
{
	return set->count;
}

const unsigned char *row_set_row(const struct row_set *set, size_t index, uint32_t *owner)
{
	*owner = set->rows[index]->owner;
	return set->rows[index]->bytes;
}
