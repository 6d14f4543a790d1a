/* SPDX-License-Identifier: MIT */
/* The tables of merged.def as data, for the writer and the reader alone. */
#pragma once

#include "analyze/tables/merged.h"

enum merged_kind { MERGED_NUMBER, MERGED_REAL, MERGED_TEXT, MERGED_CAUSES, MERGED_NO_COLUMN };

/* Fields of a struct follow each other without gaps, as the columns of a row do: all are made of
 * 8-byte words. */
struct merged_column {
	const char *name;
	enum merged_kind kind;
};

struct merged_layout {
	const char *name;
	size_t row_bytes;
	const struct merged_column *columns; /* up to MERGED_NO_COLUMN */
};

extern const struct merged_layout merged_layouts[MERGED_TABLE_COUNT];
/* 8-byte words of a column. */
size_t merged_column_words(const struct merged_column *column);

extern const char merged_schema_text[];
extern const size_t merged_schema_bytes;
