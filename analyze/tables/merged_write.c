/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/tables/merged_columns.h"
#include "analyze/tables/table_read.h"
#include "preload/file/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A block's length is a 32-bit number. */
#define BLOCK_ROWS_BYTES_MAX (64u << 20)

struct bytes {
	unsigned char *bytes;
	size_t size, room;
};

struct kept_text {
	const char *text; /* by address */
	uint64_t number;
};

struct merged_writer {
	struct bytes tables[MERGED_TABLE_COUNT];
	uint64_t rows[MERGED_TABLE_COUNT];
	struct bytes strings;
	struct text_set *kept;
	struct keyed_table *texts; /* struct kept_text */
};

static void append(struct bytes *to, const void *bytes, size_t size)
{
	if (to->size + size > to->room) {
		size_t room = 2 * (to->size + size) + 4096;
		unsigned char *more = memory_allocate(room, 1);

		if (to->size)
			memcpy(more, to->bytes, to->size);
		free(to->bytes);
		to->bytes = more;
		to->room = room;
	}
	memcpy(to->bytes + to->size, bytes, size);
	to->size += size;
}

struct merged_writer *merged_writer_create(void)
{
	struct merged_writer *writer = memory_allocate(1, sizeof *writer);

	writer->kept = text_set_create();
	writer->texts = keyed_table_create(sizeof(struct kept_text), sizeof(char *));
	append(&writer->strings, "", 1);
	return writer;
}

static uint64_t number_text(struct merged_writer *writer, const char *text)
{
	if (!text || !*text)
		return 0;
	const struct kept_text probe = {text_set_keep(writer->kept, text), writer->strings.size};
	bool is_new;
	struct kept_text *kept = keyed_table_enter(writer->texts, &probe, &is_new);

	if (is_new)
		append(&writer->strings, text, strlen(text) + 1);
	return kept->number;
}

uint64_t merged_writer_add(struct merged_writer *writer, enum merged_table table, const void *row)
{
	const unsigned char *field = row;

	for (const struct merged_column *column = merged_layouts[table].columns; column->name;
	     column++) {
		size_t size = 8 * merged_column_words(column);

		if (column->kind == MERGED_TEXT) {
			uint64_t number = number_text(writer, *(const char *const *)field);

			append(&writer->tables[table], &number, size);
		} else {
			append(&writer->tables[table], field, size);
		}
		field += size;
	}
	return writer->rows[table]++;
}

/* ---- the file */

static void append_block(struct bytes *file, uint16_t table, uint16_t row_bytes,
			 const unsigned char *rows, size_t first, size_t count)
{
	static const unsigned char nothing[64];
	size_t size = count * row_bytes, padding = (64 - (sizeof(struct format_block) + size) % 64);
	struct format_block block = {
		.magic = FORMAT_BLOCK_MAGIC,
		.bytes = (uint32_t)(sizeof block + size + padding % 64),
		.table = table,
		.row_bytes = row_bytes,
		.owner = FORMAT_NO_OWNER,
		.first_row = (uint32_t)first,
		.capacity = (uint32_t)count,
		.rows = (uint32_t)count,
	};

	append(file, &block, sizeof block);
	append(file, rows, size);
	append(file, nothing, padding % 64);
}

static void append_table(struct bytes *file, uint16_t table, uint16_t row_bytes,
			 const struct bytes *rows)
{
	size_t count = rows->size / row_bytes, most = BLOCK_ROWS_BYTES_MAX / row_bytes;

	/* a text must not be cut by the end of a block */
	if (row_bytes == 1)
		most = count;
	for (size_t first = 0; first < count; first += most)
		append_block(file, table, row_bytes, rows->bytes + first * row_bytes, first,
			     count - first < most ? count - first : most);
}

/* For all tables at once: a file that grew by doubling would be in memory three times. */
static void make_room(struct bytes *file, const struct merged_writer *writer)
{
	file->room = writer->strings.size + merged_schema_bytes + 2 * FORMAT_HEADER_BYTES;
	for (size_t i = 0; i < MERGED_TABLE_COUNT; i++)
		file->room += writer->tables[i].size + FORMAT_HEADER_BYTES;
	file->bytes = memory_allocate(file->room, 1);
}

static struct bytes lay_out(const struct merged_writer *writer)
{
	static const unsigned char page[FORMAT_HEADER_BYTES];
	struct bytes file = {0};
	struct timespec now;

	make_room(&file, writer);
	append(&file, page, sizeof page);
	append(&file, merged_schema_text, merged_schema_bytes);
	append(&file, page, 64 - file.size % 64);
	struct format_header header = {
		.magic = FORMAT_MAGIC,
		.version = FORMAT_VERSION_MERGED,
		.byte_order = FORMAT_BYTE_ORDER,
		.header_bytes = FORMAT_HEADER_BYTES,
		.schema_offset = FORMAT_HEADER_BYTES,
		.schema_bytes = merged_schema_bytes,
		.blocks_offset = file.size,
		.state = FORMAT_STATE_EXITED,
	};

	clock_gettime(CLOCK_REALTIME, &now);
	header.start_realtime_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	append_table(&file, 0, 1, &writer->strings);
	for (uint16_t i = 0; i < MERGED_TABLE_COUNT; i++)
		append_table(&file, (uint16_t)(i + 1), (uint16_t)merged_layouts[i].row_bytes,
			     &writer->tables[i]);
	header.used_bytes = header.file_bytes = file.size;
	memcpy(file.bytes, &header, sizeof header);
	return file;
}

static bool write_file(const char *path, const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "wbe");

	if (!file)
		return false;
	bool is_written = fwrite(bytes, 1, size, file) == size;

	return !fclose(file) && is_written;
}

static void destroy(struct merged_writer *writer)
{
	for (size_t i = 0; i < MERGED_TABLE_COUNT; i++)
		free(writer->tables[i].bytes);
	free(writer->strings.bytes);
	text_set_destroy(writer->kept);
	keyed_table_destroy(writer->texts);
	free(writer);
}

unsigned char *merged_writer_finish(struct merged_writer *writer, size_t *size)
{
	struct bytes file = lay_out(writer);

	destroy(writer);
	*size = file.size;
	return file.bytes;
}

bool merged_writer_save(struct merged_writer *writer, const char *path, char **problem)
{
	char *unfinished = memory_print("%s.new", path);
	size_t size;
	unsigned char *bytes = merged_writer_finish(writer, &size);
	bool is_saved = write_file(unfinished, bytes, size) && !rename(unfinished, path);

	if (!is_saved) {
		*problem = memory_print("cannot write %s: %s", path, strerror(errno));
		unlink(unfinished);
	}
	free(bytes);
	free(unfinished);
	return is_saved;
}
