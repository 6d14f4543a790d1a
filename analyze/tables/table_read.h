/* SPDX-License-Identifier: MIT */
/* From the bytes of a profile file to tables of rows. Trusts nothing: every offset, size and count
 * is checked against the bytes that are there; what does not fit is left out and reported in
 * `problems`.
 *
 * The bytes are read into memory once instead of being mapped: a program may be writing the file,
 * or somebody may truncate it, while we read, and what was checked must stay unchanged (profiles
 * are small, see format.h). Context: pure but for table_file_open. All rows and texts live as long
 * as the table_file. */
#pragma once

#include "analyze/base/text_list.h"
#include "analyze/tables/schema_parse.h"
#include "preload/file/format.h"

/* In place of FORMAT_VERSION: the same framing around the tables of a merged run. */
#define FORMAT_VERSION_MERGED 2

struct table_block {
	const unsigned char *rows;
	uint32_t row_count;
	uint32_t first_row;
	uint32_t owner; /* row of `threads`, or FORMAT_NO_OWNER */
	bool is_sparse;
	size_t first_index; /* see table_row_index */
};

struct table {
	const struct table_schema *schema;
	struct table_block *blocks; /* by first_row */
	size_t block_count;
	size_t block_capacity;
};

struct table_file {
	struct format_header header;
	struct schema *schema;
	struct table *tables; /* as many as the schema has */
	unsigned char *bytes;
	size_t size;
	bool is_torn;  /* bytes are missing or damaged, or of a form that is not known */
	bool is_newer; /* the latter */
	struct text_list problems;
};

/* NULL if the file is no profile or cannot be read; *problem is then a reason, released by the
 * caller. */
struct table_file *table_file_open(const char *path, char **problem);
/* The same from memory; takes ownership of `bytes` in any case. */
struct table_file *table_file_parse(unsigned char *bytes, size_t size, char **problem);
void table_file_destroy(struct table_file *file);

/* What the reader needs: if the file has the table, but with a column that nobody here knows how to
 * read, its rows are missing. The file is torn then, and the first such table is told of in
 * `problems`. False: it was so. */
bool table_file_need(struct table_file *file, const char *name);

/* NULL if the file has no such table. */
const struct table *table_file_find(const struct table_file *file, const char *name);

/* Iterates over the rows that are not empty. Begin with a zeroed cursor. */
struct table_cursor {
	size_t block;
	uint32_t row;
	uint32_t number; /* row number of the row returned last */
	uint32_t owner;
};
const unsigned char *table_next_row(const struct table *table, struct table_cursor *cursor);

/* Position (1, 2, ...; row number 0 has position 0) among the addressable rows, 0 if there is no
 * row with that number. Addressable are the rows of tables to which other tables, or blocks, refer;
 * positions rise with row numbers. */
size_t table_row_index(const struct table *table, uint64_t number);
size_t table_index_limit(const struct table *table);

/* The text that begins at a byte of the table of strings; "" if there is none. */
const char *table_text(const struct table *strings, uint64_t number);
