/* SPDX-License-Identifier: MIT */
/* The rows of any table of a profile, as its schema describes them: tables and columns that are
 * unknown to this program come out like all others.
 *
 * Rows of equal keys are united (table_merge.h); a thread that filled one block goes on in another.
 * Rows that others refer to keep their order and are numbered 1, 2, ...: the numbers that
 * struct profile has, and names_frames takes. A reference to a row that is not there is 0: none.
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

/* The table is one of measurements: not that of texts, and not empty of columns. */
bool export_rows_has(const struct table *table);
/* The column is for readers. */
bool export_rows_shows(const struct schema_column *column);

/* A value: a number, or a text. Arrays are texts, JSON lists of numbers, since SQL and scripts can
 * open those, and a table of 32 more columns helps nobody. */
struct export_cell {
	const char *text; /* NULL: it is a number */
	uint64_t number;
	char *owned; /* released by export_cell_clear */
};

struct export_cell export_rows_cell(const struct profile *profile,
				    const struct schema_column *column, const unsigned char *row);
void export_cell_clear(struct export_cell *cell);
