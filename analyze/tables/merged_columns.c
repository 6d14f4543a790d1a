/* SPDX-License-Identifier: MIT */
#include "analyze/tables/merged_columns.h"

/* clang-format off: a column is a line */

#define TABLE(name, meaning)    static const struct merged_column name##_columns[] = {
#define ENTRY(table_kind, name) {#name, table_kind},
#define NUMBER(name, meaning)   ENTRY(MERGED_NUMBER, name)
#define REAL(name, meaning)     ENTRY(MERGED_REAL, name)
#define TEXT(name, meaning)     ENTRY(MERGED_TEXT, name)
#define CAUSES(name, meaning)   ENTRY(MERGED_CAUSES, name)
#define END(name)                                                                                  \
	{                                                                                          \
		NULL, MERGED_NO_COLUMN                                                             \
	}                                                                                          \
	}                                                                                          \
	;
#include "analyze/tables/merged.def"
#undef TABLE
#undef NUMBER
#undef REAL
#undef TEXT
#undef CAUSES
#undef END

const struct merged_layout merged_layouts[MERGED_TABLE_COUNT] = {
#define TABLE(name, meaning) {#name, sizeof(struct merged_##name), name##_columns},
#define NUMBER(name, meaning)
#define REAL(name, meaning)
#define TEXT(name, meaning)
#define CAUSES(name, meaning)
#define END(name)
#include "analyze/tables/merged.def"
#undef TABLE
#undef NUMBER
#undef REAL
#undef TEXT
#undef CAUSES
#undef END
};

const char merged_schema_text[] =
	"ptrace schema 1\n"
	"table strings: bytes of 0-terminated texts; row 0 is an empty text\n"
	"column u8 byte none value first: one byte\n"
#define TABLE(name, meaning) "table " #name ": " meaning "\n"
#define COLUMN(type, unit, name, meaning)                                                          \
	"column " #type " " #name " " unit " value first: " meaning "\n"
#define NUMBER(name, meaning) COLUMN(u64, "none", name, meaning)
#define REAL(name, meaning)   COLUMN(u64, "ieee754", name, meaning)
#define TEXT(name, meaning)   COLUMN(str, "none", name, meaning)
#define CAUSES(name, meaning) COLUMN(causes32, "ns", name, meaning)
#define END(name)
#include "analyze/tables/merged.def"
	;
const size_t merged_schema_bytes = sizeof merged_schema_text - 1;
/* clang-format on */

size_t merged_column_words(const struct merged_column *column)
{
	return column->kind == MERGED_CAUSES ? CAUSE_LIMIT : 1;
}
