/* SPDX-License-Identifier: MIT */
/* Columns of text that line up, within a width: numbers aligned right, names left. What does not
 * fit is cut in the flexible columns first; then columns of numbers are left out: those of zeros,
 * the spare ones, and any, the last ones first, but of columns of time the one with least. A line
 * below the table says which, and at what width they would be there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum text_align {
	TEXT_RIGHT,
	TEXT_LEFT,
	TEXT_FLEXIBLE, /* left, and cut to fit the width */
	TEXT_SPARE,    /* right, and left out before the others that are */
	TEXT_LEAST,    /* right, and left out before those */
};

struct text_column {
	const char *title;
	enum text_align align;
};

struct text_table;

/* The columns must outlive the table. */
struct text_table *text_table_create(const struct text_column *columns, size_t count);
/* Appends the next cell and takes ownership of it; after the last column a new row begins. */
void text_table_add(struct text_table *table, char *cell);
/* Only wider tables have the column of the cell that was added last; a line says so as of the
 * others that are left out. */
void text_table_hold_back(struct text_table *table, unsigned from_width);
/* What the cell that was added last stands for, in nanoseconds if it is a time. NAN: unknown, so
 * that its column is none of zeros. */
void text_table_weigh(struct text_table *table, double amount, bool is_time);
/* Sorts the rows by a column, with their details: the largest amounts (text_table_weigh) first, and
 * what has none last; texts of a column without amounts in their order. */
void text_table_sort(struct text_table *table, size_t column);
/* Drops what is behind the first rows; returns how many rows that were. */
size_t text_table_cut(struct text_table *table, size_t rows);
/* Adds an indented line of its own below the row that was completed last; about two lines of it are
 * shown. */
void text_table_add_detail(struct text_table *table, char *line);
/* Nothing is said of columns that are left out: where each line counts, and the reader chooses the
 * width. */
void text_table_be_quiet(struct text_table *table);
/* Of a table whose rows are all there: how many columns of the screen stand before a column's
 * cells, and how many these take, when it is printed within that width. width 0: it is left out. */
struct text_span {
	unsigned at, width;
};
struct text_span text_table_span(struct text_table *table, size_t column, unsigned width);
/* Prints and destroys; a column whose cells are all empty is left out. */
void text_table_print(struct text_table *table, FILE *out, unsigned width, bool is_utf8);
