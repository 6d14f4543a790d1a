/* SPDX-License-Identifier: MIT */
/* A table of an HTML page: a caption, a head, rows whose first cell names the row.
 *
 * Cells are added one after the other, as in print/text_table.h; further properties of a cell are
 * set after it was added. A column whose cells are all empty is left out. Context: pure but for
 * `out`. */
#pragma once

#include <stddef.h>
#include <stdio.h>

enum html_align { HTML_RIGHT, HTML_LEFT };

struct html_column {
	const char *title;
	enum html_align align;
};

struct html_table;

/* The caption and the titles must outlive the table. */
struct html_table *html_table_create(const char *caption, const struct html_column *columns,
				     size_t count);
/* Appends the next cell and takes ownership of it; after the last column a new row begins. */
void html_table_add(struct html_table *table, char *text);
/* These set properties of the cell that was added last. value: the figure behind the text, as in
 * JSON, by which the column is sorted; title: a tooltip; both are taken over. share: a fraction
 * between 0 and 1, shown as a bar behind the text. heat: between 0 and 1, how strongly the cell is
 * coloured. class: one of ours, such as "good" and "bad". */
void html_table_set_value(struct html_table *table, char *value);
void html_table_set_title(struct html_table *table, char *title);
void html_table_set_share(struct html_table *table, double share);
void html_table_set_heat(struct html_table *table, double heat);
void html_table_set_class(struct html_table *table, const char *class);
/* A place of this page to which the text of the cell leads. */
void html_table_set_anchor(struct html_table *table, char *anchor);
/* The name of the row that the cell belongs to, for links. */
void html_table_set_id(struct html_table *table, char *id);
/* Adds a paragraph of its own below the row that was completed last; takes ownership of it. */
void html_table_add_detail(struct html_table *table, char *text);
/* Goes on in the paragraph that was added last. anchor: a place of this page to which the text
 * leads; NULL: none. Takes ownership of both. */
void html_table_continue_detail(struct html_table *table, char *text, char *anchor);
/* Prints and destroys. Without rows: "none". */
void html_table_print(struct html_table *table, FILE *out);
