/* SPDX-License-Identifier: MIT */
/* Tables of a page made from the JSON report: a cell shows the figure as a reader likes it, and has
 * the exact figure that scripts read in its data-v. Context: pure but for `out`. */
#pragma once

#include "analyze/model/common/grade.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum html_format {
	HTML_TEXT,
	HTML_CODE,  /* a source line, what is beyond HTML_CODE_COLUMNS cut off */
	HTML_PLACE, /* from the keys routine, file, line: "f (x.c:12)", "f (x.c:10-12)" with the
		       keys first_line and last_line; the path is that of the first. A link, if
		       there is a key `anchor` */
	HTML_COUNT,
	HTML_LINE, /* number of a line; with a question mark unless the key is_fitting is true. With
		      a key `id` the row is called so */
	HTML_SECONDS,
	HTML_PERCENT,
	HTML_FRACTION, /* fraction of 1, shown as percent */
	HTML_SIZE,     /* bytes */
	HTML_NUMBER,
	HTML_AMOUNT, /* "4.50 G": of what hardware counts */
};

#define HTML_CODE_COLUMNS 160

/* A column. */
struct html_field {
	const char *path; /* "waits.mutex": a key of an object inside */
	const char *title;
	enum html_format format;
	const char *grade; /* JSON path of its grade; NULL: exact */
	bool is_quiet;     /* 0 and unknown are empty cells; a column of empty cells is left out */
	bool has_bar;      /* a bar, as long as its share of the column's largest figure */
	double most;       /* of that figure instead; 0: the column's own */
	const char *hint;  /* JSON path of the tooltip; NULL: none */
};

/* HTML_FIELD("self_seconds", "self", SECONDS, .has_bar = true) */
#define HTML_FIELD(at, head, kind, ...)                                                            \
	{                                                                                          \
		.path = at, .title = head, .format = HTML_##kind, __VA_ARGS__                      \
	}

/* An array and the number of its elements: two arguments. */
#define HTML_ALL(array) array, sizeof(array) / sizeof *(array)

/* NULL if a key is missing, or null. */
struct json_object *html_json_at(struct json_object *object, const char *path);
/* Elements of a list; 0 if there is none. */
size_t html_json_count(struct json_object *list);
/* NULL if there is none: the parts of a damaged profile need not fit together. */
struct json_object *html_json_element(struct json_object *list, size_t index);
/* The figure at `path`; `unknown` if there is none. */
double html_json_figure(struct json_object *object, const char *path, double unknown);
/* A new list with the same elements, the largest figure at `path` first. */
struct json_object *html_json_sorted(struct json_object *list, const char *path);
/* A figure or text as shown on the page; released by the caller. Unknown: "?"; no text: "". */
char *html_json_text(struct json_object *value, enum html_format format);
/* "f (x.c:12)" of an object with routine (or name), file, line; released by the caller. */
char *html_json_place(struct json_object *object);

/* The grade at `path`: "exact", "sampled", "estimated"; path NULL: exact. */
enum grade html_json_grade(struct json_object *row, const char *path);

/* Adds lines below the row of the table that was completed last (html_table_add_detail), if it has
 * any. */
struct html_table;
typedef void html_detail(struct html_table *table, struct json_object *row);
/* Goes on in that line with a place, as a link if it has an anchor. */
void html_json_continue_place(struct html_table *table, struct json_object *object);
/* top: rows at most, and how many are missing is said; 0: all. */
void html_json_table(FILE *out, const char *caption, const struct html_field *fields, size_t count,
		     struct json_object *list, size_t top, html_detail *detail);
