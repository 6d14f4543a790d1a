/* SPDX-License-Identifier: MIT */
#include "analyze/diff/row_key.h"

#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/sync/sync_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 4 /* of references; a damaged file may refer in circles */

struct source {
	struct names *names;
	const struct profile *profile;
};

static char *row_text(const struct source *source, const struct table *table,
		      const unsigned char *row, unsigned depth);

static const unsigned char *find_row(const struct table *table, uint64_t number)
{
	for (size_t i = 0; i < table->block_count; i++) {
		const struct table_block *block = &table->blocks[i];

		if (number >= block->first_row && number - block->first_row < block->row_count)
			return block->rows + (number - block->first_row) * table->schema->row_bytes;
	}
	return NULL;
}

static char *callpath_text(const struct source *source, size_t callpath)
{
	const struct frame *frame = names_user_frame(source->names, source->profile, callpath);

	return memory_copy_text(frame ? names_routine(source->names, frame->routine)->name
				      : "none");
}

static char *object_text(const struct source *source, size_t object)
{
	struct sync_object known = sync_object_of(source->names, source->profile, object, OP_NONE);

	return figure_key_without_lines(known.stem);
}

static char *module_text(const struct source *source, size_t module)
{
	return memory_copy_text(runtime_base_name(source->profile->modules.rows[module].path));
}

/* Tables whose rows have names of their own. */
static const struct {
	const char *table;
	char *(*text)(const struct source *source, size_t index);
} named[] = {
	{"callpaths", callpath_text},
	{"objects", object_text},
	{"modules", module_text},
};

static char *reference_text(const struct source *source, const char *table_name, uint64_t number,
			    unsigned depth)
{
	const struct table *table = table_file_find(source->profile->file, table_name);
	const unsigned char *row = table && number ? find_row(table, number) : NULL;

	if (!row || depth == DEPTH_MAX)
		return memory_copy_text("none");
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (!strcmp(named[i].table, table_name))
			return named[i].text(source, table_row_index(table, number));
	return row_text(source, table, row, depth + 1);
}

static char *value_text(const struct source *source, const struct schema_column *column,
			const unsigned char *row, unsigned depth)
{
	const struct table *strings = table_file_find(source->profile->file, "strings");
	uint64_t number = schema_read_integer(column, row, 0);

	if (column->role == ROLE_REFERENCE)
		return reference_text(source, column->references, number, depth);
	if (column->type == COLUMN_TEXT)
		return memory_print("%.*s", (int)column->elements,
				    (const char *)row + column->offset);
	if (column->type == COLUMN_STRING)
		return memory_copy_text(strings ? table_text(strings, number) : "");
	return memory_print("%" PRIu64, number);
}

static bool is_told(const struct schema_column *column)
{
	if (column->merge != MERGE_KEY || !strcmp(column->unit, "address"))
		return false;
	return column->role == ROLE_KEY ||
	       (column->role == ROLE_REFERENCE && strcmp(column->references, "threads") != 0);
}

static char *row_text(const struct source *source, const struct table *table,
		      const unsigned char *row, unsigned depth)
{
	char *text = memory_copy_text("");

	for (size_t i = 0; i < table->schema->column_count; i++) {
		const struct schema_column *column = &table->schema->columns[i];

		if (!is_told(column))
			continue;
		char *value = value_text(source, column, row, depth);
		char *longer =
			memory_print("%s%s%s=%s", text, *text ? ", " : "", column->name, value);

		free(value);
		free(text);
		text = longer;
	}
	return text;
}

char *row_key_text(struct names *names, const struct profile *profile, const struct table *table,
		   const unsigned char *row)
{
	const struct source source = {names, profile};

	return row_text(&source, table, row, 0);
}
