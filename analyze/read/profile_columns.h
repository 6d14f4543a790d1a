/* SPDX-License-Identifier: MIT */
/* The columns of each table as data, made from schema.def: how values are copied into the structs
 * of profile.h. For profile_read.c, and for those who need the names of all columns. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PROFILE_COLUMNS_MAX 48

/* How a column's value is copied. */
enum profile_value { VALUE_NUMBER, VALUE_NUMBERS, VALUE_TEXT };

struct profile_column {
	const char *name;
	enum profile_value value;
	size_t words; /* 8-byte words of the field. Fields follow each other as columns do */
	const char *reference; /* the table whose rows it numbers; NULL: none */
};

enum { PROFILE_ADDRESSED = 1, PROFILE_SUMMARY = 2, PROFILE_EACH = 4 };

struct profile_table {
	const char *name;
	size_t rows, count; /* offsets in struct profile; unused for the table process */
	unsigned flags;     /* see profile_tables.def */
	size_t element_bytes;
	const struct profile_column *columns;
	size_t column_count;
};

extern const struct profile_table profile_process_table;
extern const struct profile_table profile_tables[];
extern const size_t profile_table_count;

/* Columns whose numbers must be smaller than some count known here: a newer writer may have more of
 * such things, a damaged file anything. From `limit` on they are read as `otherwise`. */
struct profile_bound {
	const char *column;
	uint64_t limit, otherwise;
};

/* NULL: any number is valid. */
const struct profile_bound *profile_bound_of(const char *column);
