/* SPDX-License-Identifier: MIT */
#include "analyze/tables/merged_columns.h"

/* clang-format off: a column is a line */

#define TABLE(name, meaning)                               static const struct merged_column name##_columns[] = {
#define COLUMN(what, field, type, unit, of, name, meaning) {#name, what, of},
#define END(name)                                                                                  \
	{                                                                                          \
		NULL, MERGED_NO_COLUMN, 0                                                          \
	}                                                                                          \
	}                                                                                          \
	;
#include "analyze/tables/merged.def"

const struct merged_layout merged_layouts[MERGED_TABLE_COUNT] = {
#define TABLE(name, meaning) {#name, sizeof(struct merged_##name), name##_columns},
#define COLUMN(...)
#define END(name)
#include "analyze/tables/merged.def"
};

/* A part of a row that was given more or fewer columns than its struct has. */
#define TABLE(name, meaning) _Static_assert(sizeof(struct merged_##name) == 0
#define COLUMN(what, field, type, unit, of, name, meaning) +sizeof(struct { field; })
#define END(name) , "columns");
#include "analyze/tables/merged.def"

const char merged_schema_text[] =
	"ptrace schema 1\n"
	"table strings: bytes of 0-terminated texts; row 0 is an empty text\n"
	"column u8 byte none value first: one byte\n"
#define TABLE(name, meaning) "table " #name ": " meaning "\n"
#define COLUMN(what, field, type, unit, of, name, meaning)                                         \
	"column " #type " " #name " " #unit " value first: " meaning "\n"
#define END(name)
#include "analyze/tables/merged.def"
	;
const size_t merged_schema_bytes = sizeof merged_schema_text - 1;
/* clang-format on */

size_t merged_column_words(const struct merged_column *column)
{
	return column->kind == MERGED_CAUSES ? CAUSE_LIMIT : 1;
}
