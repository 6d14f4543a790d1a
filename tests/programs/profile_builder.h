/* SPDX-License-Identifier: MIT */
/* Makes profile files with known content, byte by byte as a writer would leave them, for tests of
 * what reads them.
 *
 * Rows are the structs of preload/file/schema.h; they are gathered by table and owner and laid out in
 * blocks at the end. Row 0 of the tables that others refer to is there from the beginning. Fields
 * of the header may be set at any time before builder_finish; offsets and sizes are set there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "preload/file/format.h"
#include "preload/file/schema.h"

struct builder_rows {
	enum schema_table table;
	uint32_t owner;
	unsigned char *bytes;
	size_t count, size;
};

struct builder {
	struct format_header header;
	struct builder_rows *rows;
	size_t rows_count;
	bool is_sparse; /* tables by thread have an empty row after each full one */
	/* A table that no header knows, as a later version may have: its schema text, and the bytes
	 * of its rows, which are added as those of TABLE_COUNT. NULL: there is none. */
	const char *further_schema;
	size_t further_row_bytes;
};

void builder_start(struct builder *builder);
/* Number of the first byte of a text. */
uint64_t builder_text(struct builder *builder, const char *text);
/* Appends a row (a struct row_NAME) and returns its number. owner: FORMAT_NO_OWNER, or a row of
 * threads. */
uint32_t builder_add(struct builder *builder, enum schema_table table, uint32_t owner,
		     const void *row);
/* The whole file, released by the caller; the builder is empty afterwards. */
unsigned char *builder_finish(struct builder *builder, size_t *size);

/* Number of a place in the tree of call paths; parent 0: outermost. */
uint32_t builder_callpath(struct builder *builder, uint32_t parent, uint16_t module,
			  uint64_t offset);
