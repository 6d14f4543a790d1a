/* SPDX-License-Identifier: MIT */
/* The rows of any table of a profile, as its schema describes them: tables and columns that are
 * unknown to this program are exported like all others.
 *
 * Rows of equal keys are merged (table_merge.h): a thread that filled one block continues in
 * another. Rows to which others refer keep their order and are numbered 1, 2, ...: the same numbers
 * as in struct profile and for names_frames. A reference to a row that does not exist is 0: none.
 * Columns that are internal to the writer are left out. Context: pure; rows live as long as the
 * profile. */
#pragma once

#include "analyze/read/profile.h"

struct export_rows;

struct export_row {
	size_t number; /* 1, 2, ... */
	size_t thread; /* owner: number of its row in `threads`; 0: none */
	const unsigned char *bytes;
};

/* Numbers of a table by name. */
struct export_rows *export_rows_open(const struct profile *profile, const struct table *table);
bool export_rows_next(struct export_rows *rows, struct export_row *row);
void export_rows_close(struct export_rows *rows);

/* Does the table contain measurements? Not the table of texts, and none without columns. */
bool export_rows_has(const struct table *table);
/* Is the column meant for readers? */
bool export_rows_shows(const struct schema_column *column);

/* A value: a number, or a text. Arrays become texts, JSON lists of numbers, since SQL and scripts
 * can parse those, and 32 more columns would help nobody. */
struct export_cell {
	const char *text; /* NULL: it is a number */
	uint64_t number;
	char *owned; /* released by export_cell_clear */
};

struct export_cell export_rows_cell(const struct profile *profile,
				    const struct schema_column *column, const unsigned char *row);
void export_cell_clear(struct export_cell *cell);

/* "main;f;g": a whole call path, from the root; released by the caller. */
struct names;
struct call_stack;
char *export_path_text(struct names *names, const struct profile *profile, size_t callpath,
		       struct call_stack *stack);
