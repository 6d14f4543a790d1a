/* SPDX-License-Identifier: MIT */
/* The tables of merged.def as data. Used by the writer, the reader, and what unites rows. */
#pragma once

#include "analyze/tables/merged.h"

enum merged_kind {
	MERGED_NUMBER,
	MERGED_SUM,
	MERGED_MAX,
	MERGED_MIN,
	MERGED_KNOWN_MIN,
	MERGED_FLAG,
	MERGED_LINE,
	MERGED_LAST_LINE,
	MERGED_GRADE,
	MERGED_BELOW,
	MERGED_ROW,
	MERGED_ROW_OR_NONE,
	MERGED_FROM_1,
	MERGED_FROM_1_OR_NONE,
	MERGED_REAL,
	MERGED_REAL_SUM,
	MERGED_TEXT,
	MERGED_CAUSES,
	MERGED_NO_COLUMN
};

/* Both the fields of a struct and the columns of a row follow each other without gaps: all are made
 * of 8-byte words. */
struct merged_column {
	const char *name;
	enum merged_kind kind;
	unsigned of; /* enum merged_table that it refers to; of MERGED_BELOW the limit */
};

struct merged_layout {
	const char *name;
	size_t row_bytes;
	const struct merged_column *columns; /* ended by MERGED_NO_COLUMN */
};

extern const struct merged_layout merged_layouts[MERGED_TABLE_COUNT];
/* 8-byte words of a column. */
size_t merged_column_words(const struct merged_column *column);

extern const char merged_schema_text[];
extern const size_t merged_schema_bytes;
