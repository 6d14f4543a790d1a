/* SPDX-License-Identifier: MIT */
#include "analyze/tables/table_read.h"

#include "analyze/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX                                                                             \
	(1ull << 30) /* 64 times what a writer may use: anything larger is no profile */
#define BLOCK_ALIGNMENT 64
#define PROBLEMS_MAX    4

/* ---- the header page */

static const char *header_problem(const struct table_file *file)
{
	const struct format_header *header = &file->header;

	if (!memcmp(file->bytes, "PTPROF\n", 7))
		return "was copied in text mode, which changes line ends: copy it in binary mode";
	if (memcmp(header->magic, FORMAT_MAGIC, sizeof header->magic))
		return "is not a profile of this tool";
	if (header->byte_order != FORMAT_BYTE_ORDER)
		return "was written with another byte order";
	if (header->version != FORMAT_VERSION && header->version != FORMAT_VERSION_MERGED)
		return "has another format version: use the ptrace-report that belongs to it";
	if (header->schema_offset < sizeof *header || header->schema_offset > file->size ||
	    header->schema_bytes > file->size - header->schema_offset)
		return "is damaged: its schema text lies outside the file";
	return NULL;
}

/* ---- blocks */

static bool has_whole_length(const struct format_block *block)
{
	return block->bytes >= sizeof *block && block->bytes % BLOCK_ALIGNMENT == 0;
}

/* Is there a block at this offset whose header makes sense for the schema? */
static bool read_block_header(const struct table_file *file, size_t offset,
			      struct format_block *block)
{
	memcpy(block, file->bytes + offset, sizeof *block);
	if (block->magic != FORMAT_BLOCK_MAGIC || !has_whole_length(block) ||
	    block->table >= file->schema->table_count)
		return false;
	const struct table_schema *table = &file->schema->tables[block->table];

	return !table->is_usable || (table->row_bytes && table->row_bytes == block->row_bytes);
}

static void add_block(struct table_file *file, size_t offset, const struct format_block *block,
		      size_t room)
{
	struct table *table = &file->tables[block->table];
	bool is_sparse = block->flags & FORMAT_BLOCK_SPARSE;
	uint32_t rows = is_sparse ? block->capacity : block->rows;
	size_t limit = (room - sizeof *block) / block->row_bytes;

	if (rows > limit || (!is_sparse && rows > block->capacity)) {
		file->is_torn = true;
		text_list_add(&file->problems, "rows of table %s are cut off", table->schema->name);
		rows = rows < limit ? rows : (uint32_t)limit;
		if (!is_sparse && rows > block->capacity)
			rows = block->capacity;
	}
	if (!rows || block->first_row > UINT32_MAX - rows)
		return;
	table->blocks = memory_grow(table->blocks, table->block_count, &table->block_capacity,
				    sizeof *table->blocks);
	table->blocks[table->block_count++] = (struct table_block){
		.rows = file->bytes + offset + sizeof *block,
		.row_count = rows,
		.first_row = block->first_row,
		.owner = block->owner,
		.is_sparse = is_sparse,
	};
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* The length comes first, and the magic last. */
static bool is_unfinished(const struct format_block *block)
{
	return !block->magic && has_whole_length(block);
}

/* Zeros, and headers that were not finished: there may be several such blocks one after the other.
 * Headers are lines of BLOCK_ALIGNMENT bytes; the last line may be a part of one. */
static bool is_hole(const unsigned char *bytes, size_t size)
{
	struct format_block block;

	for (size_t at = 0; at < size; at += BLOCK_ALIGNMENT) {
		size_t length = size - at < BLOCK_ALIGNMENT ? size - at : BLOCK_ALIGNMENT;

		memset(&block, 0, sizeof block);
		memcpy(&block, bytes + at, length);
		if (!is_zero(bytes + at, length) && !is_unfinished(&block))
			return false;
	}
	return true;
}

/* A writer that was killed, or left, between reserving a block's space and finishing its header
 * leaves a hole: reading goes on at the next block, which begins at one of the following cache
 * lines. Anything else in a hole is damage. */
static size_t skip_hole(struct table_file *file, size_t offset, size_t end)
{
	struct format_block block;
	size_t start = offset;

	do
		offset += BLOCK_ALIGNMENT;
	while (offset + sizeof block <= end && !read_block_header(file, offset, &block));
	if (offset > end)
		offset = end;
	if (!is_hole(file->bytes + start, offset - start)) {
		file->is_torn = true;
		text_list_add(&file->problems,
			      "%zu bytes at offset %zu are damaged and were left out",
			      offset - start, start);
	}
	return offset;
}

static void read_blocks(struct table_file *file)
{
	size_t end = file->header.used_bytes < file->size ? file->header.used_bytes : file->size;
	size_t offset = file->header.blocks_offset;
	struct format_block block;

	while (offset < end && end - offset >= sizeof block) {
		if (!read_block_header(file, offset, &block)) {
			offset = skip_hole(file, offset, end);
			continue;
		}
		size_t room = block.bytes < end - offset ? block.bytes : end - offset;

		if (file->schema->tables[block.table].is_usable)
			add_block(file, offset, &block, room);
		offset += room;
	}
}

/* ---- row numbers */

/* Does anything refer to rows of this table by number? Only then must the numbers be unique. Call
 * paths refer to functions of Python by a part of a column. */
static bool is_referenced(const struct schema *schema, const char *name)
{
	if (!strcmp(name, "strings") || !strcmp(name, "threads") || !strcmp(name, "python_code"))
		return true;
	for (size_t t = 0; t < schema->table_count; t++)
		for (size_t c = 0; c < schema->tables[t].column_count; c++) {
			const struct schema_column *column = &schema->tables[t].columns[c];

			if (column->references && !strcmp(column->references, name))
				return true;
		}
	return false;
}

static int compare_blocks(const void *left, const void *right)
{
	const struct table_block *a = left, *b = right;

	if (a->first_row != b->first_row)
		return a->first_row < b->first_row ? -1 : 1;
	return a->rows < b->rows ? -1 : a->rows > b->rows;
}

/* Gives each block its position; of two blocks that claim the same row numbers, the first one is
 * kept. */
static void number_rows(struct table_file *file, struct table *table)
{
	size_t kept = 0, index = 0;
	uint64_t next_number = 0;

	if (!table->block_count || !is_referenced(file->schema, table->schema->name))
		return;
	qsort(table->blocks, table->block_count, sizeof *table->blocks, compare_blocks);
	for (size_t i = 0; i < table->block_count; i++) {
		struct table_block block = table->blocks[i];

		if (block.first_row < next_number) {
			file->is_torn = true;
			text_list_add(&file->problems, "two blocks of table %s overlap",
				      table->schema->name);
			continue;
		}
		if (!kept && block.first_row)
			index = 1; /* position 0 is "none" even where the row is missing */
		block.first_index = index;
		index += block.row_count;
		next_number = (uint64_t)block.first_row + block.row_count;
		table->blocks[kept++] = block;
	}
	table->block_count = kept;
}

static const struct table_block *find_block(const struct table *table, uint64_t number)
{
	size_t low = 0, high = table ? table->block_count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct table_block *block = &table->blocks[middle];

		if (number < block->first_row)
			high = middle;
		else if (number - block->first_row >= block->row_count)
			low = middle + 1;
		else
			return block;
	}
	return NULL;
}

size_t table_row_index(const struct table *table, uint64_t number)
{
	const struct table_block *block = number ? find_block(table, number) : NULL;

	return block ? block->first_index + (number - block->first_row) : 0;
}

size_t table_index_limit(const struct table *table)
{
	if (!table || !table->block_count)
		return 1;
	const struct table_block *last = &table->blocks[table->block_count - 1];

	return last->first_index + last->row_count;
}

const char *table_text(const struct table *strings, uint64_t number)
{
	const struct table_block *block = number ? find_block(strings, number) : NULL;

	if (!block || strings->schema->row_bytes != 1)
		return "";
	size_t start = number - block->first_row;

	if (!memchr(block->rows + start, '\0', block->row_count - start))
		return "";
	return (const char *)block->rows + start;
}

static bool is_empty_row(const unsigned char *row, uint32_t row_bytes)
{
	return is_zero(row, row_bytes < 8 ? row_bytes : 8);
}

const unsigned char *table_next_row(const struct table *table, struct table_cursor *cursor)
{
	while (table && cursor->block < table->block_count) {
		const struct table_block *block = &table->blocks[cursor->block];
		const unsigned char *row =
			block->rows + (size_t)cursor->row * table->schema->row_bytes;

		if (cursor->row == block->row_count) {
			cursor->block++;
			cursor->row = 0;
			continue;
		}
		cursor->number = block->first_row + cursor->row++;
		cursor->owner = block->owner;
		if (!block->is_sparse || !is_empty_row(row, table->schema->row_bytes))
			return row;
	}
	return NULL;
}

const struct table *table_file_find(const struct table_file *file, const char *name)
{
	const struct table_schema *schema = schema_find_table(file->schema, name);

	return schema ? &file->tables[schema - file->schema->tables] : NULL;
}

bool table_file_need(struct table_file *file, const char *name)
{
	const struct table_schema *schema = schema_find_table(file->schema, name);

	if (!schema || schema->is_usable)
		return true;
	file->is_torn = true;
	if (file->is_newer)
		return false;
	file->is_newer = schema->strange_column != NULL;
	if (file->is_newer)
		text_list_add(&file->problems,
			      "column %s of table %s has the type %s, which this version cannot "
			      "read, so that all of the table is missing: use the version that "
			      "wrote the file, or a newer one",
			      schema->strange_column, name, schema->strange_type);
	else
		text_list_add(&file->problems, "the columns of table %s are damaged", name);
	return false;
}

/* ---- the whole file */

static bool parse_file(struct table_file *file, char **problem)
{
	const char *reason = "is empty";

	if (file->size)
		reason = "is too short for a profile";
	if (file->size >= sizeof file->header) {
		memcpy(&file->header, file->bytes, sizeof file->header);
		reason = header_problem(file);
	}
	if (!reason) {
		const char *text = (const char *)file->bytes + file->header.schema_offset;

		file->schema = schema_parse(text, file->header.schema_bytes, &reason);
	}
	if (reason) {
		*problem = memory_copy_text(reason);
		return false;
	}
	file->tables = memory_allocate(file->schema->table_count, sizeof *file->tables);
	for (size_t i = 0; i < file->schema->table_count; i++)
		file->tables[i].schema = &file->schema->tables[i];
	return true;
}

static void note_missing_bytes(struct table_file *file)
{
	/* used_bytes runs ahead of the file for an instant while a process takes new space. */
	bool is_growing =
		file->header.state == FORMAT_STATE_RUNNING && file->size >= file->header.file_bytes;

	if (file->header.used_bytes <= file->size || is_growing)
		return;
	file->is_torn = true;
	text_list_add(&file->problems, "%llu of %llu bytes are missing",
		      (unsigned long long)(file->header.used_bytes - file->size),
		      (unsigned long long)file->header.used_bytes);
}

struct table_file *table_file_parse(unsigned char *bytes, size_t size, char **problem)
{
	struct table_file *file = memory_allocate(1, sizeof *file);

	file->bytes = bytes;
	file->size = size;
	file->problems.limit = PROBLEMS_MAX;
	if (!parse_file(file, problem)) {
		table_file_destroy(file);
		return NULL;
	}
	note_missing_bytes(file);
	read_blocks(file);
	for (size_t i = 0; i < file->schema->table_count; i++)
		number_rows(file, &file->tables[i]);
	return file;
}

/* Reads the current contents; a file that shrinks meanwhile is a short one. */
static unsigned char *read_bytes(int descriptor, size_t *size)
{
	unsigned char *bytes = memory_allocate(*size, 1);
	size_t done = 0;

	while (done < *size) {
		ssize_t got = read(descriptor, bytes + done, *size - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	*size = done;
	return bytes;
}

struct table_file *table_file_open(const char *path, char **problem)
{
	/* O_NONBLOCK: a pipe with that name must not block us. */
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (descriptor < 0 || fstat(descriptor, &status)) {
		*problem = memory_print("cannot be read: %s", strerror(errno));
		if (descriptor >= 0)
			close(descriptor);
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size > FILE_BYTES_MAX) {
		*problem = memory_print(S_ISREG(status.st_mode) ? "is too large for a profile"
								: "is not a file");
		close(descriptor);
		return NULL;
	}
	size_t size = (size_t)status.st_size;
	unsigned char *bytes = read_bytes(descriptor, &size);

	close(descriptor);
	return table_file_parse(bytes, size, problem);
}

void table_file_destroy(struct table_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; file->tables && i < file->schema->table_count; i++)
		free(file->tables[i].blocks);
	free(file->tables);
	schema_destroy(file->schema);
	text_list_clear(&file->problems);
	free(file->bytes);
	free(file);
}
