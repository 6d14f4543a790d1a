/* SPDX-License-Identifier: MIT */
/* Columns of text that line up, within a width: numbers aligned right, names left, one column is
 * cut to fit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum text_align {
	TEXT_RIGHT,
	TEXT_LEFT,
	TEXT_FLEXIBLE /* left, and cut to fit the width */
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
/* Adds an indented line of its own below the row that was completed last. */
void text_table_add_detail(struct text_table *table, char *line);
/* Prints and destroys; a column whose cells are all empty is left out. */
void text_table_print(struct text_table *table, FILE *out, unsigned width, bool is_utf8);
