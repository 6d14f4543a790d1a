/* SPDX-License-Identifier: MIT */
#include "tests/programs/profile_builder.h"

#include <stdlib.h>
#include <string.h>

static const char schema_text[] = "ptrace schema 1\n"
#define TABLE(name, meaning) "table " #name ": " meaning "\n"
#define COLUMN(type, name, unit, role, merge, meaning)                                             \
	"column " #type " " #name " " #unit " " #role " " #merge ": " meaning "\n"
#define END(name)
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END
	;

static const size_t struct_bytes[TABLE_COUNT] = {
#define TABLE(name, meaning) [TABLE_##name] = sizeof(struct row_##name),
#define COLUMN(type, name, unit, role, merge, meaning)
#define END(name)
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END
};

/* The struct of a string's byte is rounded up to 8. */
static size_t row_bytes(const struct builder *builder, enum schema_table table)
{
	if (table == TABLE_COUNT)
		return builder->further_row_bytes;
	return table == TABLE_strings ? 1 : struct_bytes[table];
}

static void *grown(void *memory, size_t bytes)
{
	void *more = realloc(memory, bytes ? bytes : 1);

	if (!more)
		abort();
	return more;
}

static struct builder_rows *find_rows(struct builder *builder, enum schema_table table,
				      uint32_t owner)
{
	for (size_t i = 0; i < builder->rows_count; i++)
		if (builder->rows[i].table == table && builder->rows[i].owner == owner)
			return &builder->rows[i];
	builder->rows = grown(builder->rows, (builder->rows_count + 1) * sizeof *builder->rows);
	builder->rows[builder->rows_count] = (struct builder_rows){.table = table, .owner = owner};
	return &builder->rows[builder->rows_count++];
}

static uint32_t append(struct builder_rows *rows, const void *row, size_t bytes)
{
	rows->bytes = grown(rows->bytes, rows->size + bytes);
	memcpy(rows->bytes + rows->size, row, bytes);
	rows->size += bytes;
	return (uint32_t)rows->count++;
}

uint32_t builder_add(struct builder *builder, enum schema_table table, uint32_t owner,
		     const void *row)
{
	static const unsigned char nothing[1024];
	struct builder_rows *rows = find_rows(builder, table, owner);
	uint32_t number = append(rows, row, row_bytes(builder, table));

	if (builder->is_sparse && owner != FORMAT_NO_OWNER)
		append(rows, nothing, row_bytes(builder, table));
	return number;
}

uint64_t builder_text(struct builder *builder, const char *text)
{
	uint64_t number = find_rows(builder, TABLE_strings, FORMAT_NO_OWNER)->count;

	do
		builder_add(builder, TABLE_strings, FORMAT_NO_OWNER, text);
	while (*text++);
	return number;
}

uint32_t builder_callpath(struct builder *builder, uint32_t parent, uint16_t module,
			  uint64_t offset)
{
	struct row_callpaths row = {
		.parent = parent,
		.module = module,
		.flags = CALLPATH_PRESENT,
		.offset = offset,
	};

	return builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &row);
}

void builder_start(struct builder *builder)
{
	static const enum schema_table referenced[] = {
		TABLE_strings, TABLE_modules,   TABLE_callpaths,         TABLE_threads,
		TABLE_objects, TABLE_mpi_names, TABLE_mpi_communicators, TABLE_omp_regions,
		TABLE_events,  TABLE_sections};
	static const unsigned char nothing[1024];

	*builder = (struct builder){.header = {
					    .magic = FORMAT_MAGIC,
					    .version = FORMAT_VERSION,
					    .byte_order = FORMAT_BYTE_ORDER,
					    .header_bytes = FORMAT_HEADER_BYTES,
					    .pid = 1000,
					    .state = FORMAT_STATE_EXITED,
				    }};
	for (size_t i = 0; i < sizeof referenced / sizeof *referenced; i++)
		builder_add(builder, referenced[i], FORMAT_NO_OWNER, nothing);
}

static size_t aligned(size_t size)
{
	return (size + 63) / 64 * 64;
}

static size_t lay_out(const struct builder *builder, const struct builder_rows *rows,
		      unsigned char *to)
{
	struct format_block block = {
		.magic = FORMAT_BLOCK_MAGIC,
		.bytes = (uint32_t)aligned(sizeof block + rows->size),
		.table = (uint16_t)rows->table,
		.row_bytes = (uint16_t)row_bytes(builder, rows->table),
		.owner = rows->owner,
		.capacity = (uint32_t)rows->count,
		.rows = (uint32_t)rows->count,
		.flags = builder->is_sparse && rows->owner != FORMAT_NO_OWNER ? FORMAT_BLOCK_SPARSE
									      : 0,
	};

	if (to) {
		memcpy(to, &block, sizeof block);
		memcpy(to + sizeof block, rows->bytes, rows->size);
	}
	return block.bytes;
}

unsigned char *builder_finish(struct builder *builder, size_t *size)
{
	struct format_header *header = &builder->header;

	const char *further = builder->further_schema ? builder->further_schema : "";

	header->schema_offset = FORMAT_HEADER_BYTES;
	header->schema_bytes = sizeof schema_text - 1 + strlen(further);
	header->blocks_offset = aligned(FORMAT_HEADER_BYTES + header->schema_bytes + 1);
	header->used_bytes = header->blocks_offset;
	for (size_t i = 0; i < builder->rows_count; i++)
		header->used_bytes += lay_out(builder, &builder->rows[i], NULL);
	header->file_bytes = *size = header->used_bytes;

	unsigned char *file = grown(NULL, *size), *at = file + header->blocks_offset;

	memset(file, 0, *size);
	memcpy(file, header, sizeof *header);
	memcpy(file + header->schema_offset, schema_text, sizeof schema_text);
	memcpy(file + header->schema_offset + sizeof schema_text - 1, further, strlen(further) + 1);
	for (size_t i = 0; i < builder->rows_count; i++) {
		at += lay_out(builder, &builder->rows[i], at);
		free(builder->rows[i].bytes);
	}
	free(builder->rows);
	*builder = (struct builder){0};
	return file;
}
