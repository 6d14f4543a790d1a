/* SPDX-License-Identifier: MIT */
#include "analyze/tables/table_merge.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct merged_row {
	const struct table_schema *schema; /* for callbacks, which are given only rows */
	uint32_t owner;
	unsigned char bytes[];
};

struct row_set {
	const struct table_schema *schema;
	struct keyed_table *rows;
	struct merged_row *probe;
};

static size_t column_bytes(const struct schema_column *column)
{
	return (size_t)column->element_bytes * column->elements;
}

static unsigned hash_row(const void *entry)
{
	const struct merged_row *row = entry;
	unsigned hash = row->owner;

	for (size_t i = 0; i < row->schema->column_count; i++) {
		const struct schema_column *column = &row->schema->columns[i];

		if (column->merge == MERGE_KEY)
			hash = hash_bytes(row->bytes + column->offset, column_bytes(column), hash);
	}
	return hash;
}

static bool are_rows_equal(const void *left, const void *right)
{
	const struct merged_row *a = left, *b = right;

	if (a->owner != b->owner)
		return false;
	for (size_t i = 0; i < a->schema->column_count; i++) {
		const struct schema_column *column = &a->schema->columns[i];

		if (column->merge == MERGE_KEY &&
		    memcmp(a->bytes + column->offset, b->bytes + column->offset,
			   column_bytes(column)))
			return false;
	}
	return true;
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
	size_t size = sizeof *set->probe + schema->row_bytes;

	set->schema = schema;
	set->rows = keyed_table_create_by(size, hash_row, are_rows_equal);
	set->probe = memory_allocate(1, size);
	set->probe->schema = schema;
	return set;
}

void row_set_destroy(struct row_set *set)
{
	keyed_table_destroy(set->rows);
	free(set->probe);
	free(set);
}

void row_set_add(struct row_set *set, const unsigned char *bytes, uint32_t owner)
{
	bool is_new;

	set->probe->owner = owner;
	memcpy(set->probe->bytes, bytes, set->schema->row_bytes);
	struct merged_row *row = keyed_table_enter(set->rows, set->probe, &is_new);

	for (size_t i = 0; !is_new && i < set->schema->column_count; i++)
		unite_column(&set->schema->columns[i], row->bytes, bytes);
}

size_t row_set_count(const struct row_set *set)
{
	return keyed_table_count(set->rows);
}

const unsigned char *row_set_row(const struct row_set *set, size_t index, uint32_t *owner)
{
	const struct merged_row *row = keyed_table_row(set->rows, index);

	*owner = row->owner;
	return row->bytes;
}
