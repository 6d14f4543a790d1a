/* SPDX-License-Identifier: MIT */
/* The schema text of a profile: its tables, their columns, and the rules by which values are
 * merged.
 *
 * The text in the file decides, not this program: a table may have columns that are unknown here,
 * or lack some that are expected. A table with a column whose size cannot be told is marked
 * unusable; everything else is read. Context: pure; the schema owns all its strings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum column_type { COLUMN_INTEGER, COLUMN_STRING, COLUMN_TEXT };
enum column_role { ROLE_KEY, ROLE_VALUE, ROLE_REFERENCE, ROLE_INTERNAL };
enum merge_rule {
	MERGE_KEY,
	MERGE_SUM,
	MERGE_MIN,
	MERGE_MAX,
	MERGE_FIRST,
	MERGE_LAST,
	MERGE_RULE_COUNT
};

struct schema_column {
	const char *name;
	const char *unit;
	const char *meaning;
	const char *references; /* ROLE_REFERENCE: name of the table that the number belongs to */
	enum column_type type;
	enum column_role role;
	enum merge_rule merge; /* "histogram" is MERGE_SUM of each element */
	uint32_t offset;       /* in the row, bytes */
	uint32_t element_bytes;
	uint32_t elements; /* 1, or the length of an array of integers */
	bool is_of_causes; /* such an array, by enum cause */
};

struct table_schema {
	const char *name;
	const char *meaning;
	struct schema_column *columns;
	size_t column_count;
	size_t column_capacity;
	uint32_t row_bytes;
	bool is_usable;
	const char *strange_column, *strange_type; /* of a table that is not: the first column that
						      is not known how to read; NULL: a broken
						      line */
};

struct schema {
	char *text; /* the names above point into it */
	struct table_schema *tables;
	size_t table_count;
	size_t table_capacity;
};

/* NULL, and *problem says why, if the text is no schema of a known version. */
struct schema *schema_parse(const char *text, size_t bytes, const char **problem);
void schema_destroy(struct schema *schema);

const struct table_schema *schema_find_table(const struct schema *schema, const char *name);
/* NULL if there is no such column. */
const struct schema_column *schema_find_column(const struct table_schema *table, const char *name);
/* One number of a row; 0 for a NULL column, for a text and beyond the array. */
uint64_t schema_read_integer(const struct schema_column *column, const unsigned char *row,
			     size_t element);
/* An array of `count` numbers. One by causes that has another length in the file (older profiles:
 * 16) keeps its last number last, since that is the time preempted; causes that are beyond the
 * array count as the first one, other. */
void schema_read_numbers(const struct schema_column *column, const unsigned char *row,
			 uint64_t *numbers, size_t count);
void schema_write_integer(const struct schema_column *column, unsigned char *row, size_t element,
			  uint64_t value);
