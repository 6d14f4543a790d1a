/* SPDX-License-Identifier: MIT */
/* The figures of a source line, as columns of text and as JSON: the same for the hottest lines and
 * for the source beside its figures. */
#pragma once

#include "analyze/model/lines/source_listing.h"
#include "analyze/report/line_events.h"

struct row_fields;

/* Sums over all lines of the run: what shares are of. */
struct line_totals {
	double cpu_ns, wait_ns, mpi_ns, blame_ns;
	const struct counters *counters; /* of the run */
};

/* "12"; "10-12" of lines that are one entry; released by the caller. */
char *line_number_text(const struct source_line *line);

/* Adds the waits, MPI calls and blame of a line. */
void line_totals_add(struct line_totals *totals, const struct source_line *line);
struct line_totals line_totals_of(const struct report *report, const struct source_lines *lines);

#define LINE_FIGURE_COUNT  8
#define LINE_FIGURES_WIDTH 80 /* below it, and the width of events, some are left out */
#define LINE_COLUMNS_MOST  (LINE_FIGURE_COUNT + 2 * LINE_EVENTS_MOST + 2)

/* A table of text whose rows are lines: their figures, the events that were counted, and what the
 * caller adds. */
struct line_sheet {
	const struct report *report;
	const struct line_totals *totals;
	struct line_events events;
	struct text_column columns[LINE_COLUMNS_MOST];
	struct text_table *table;
	bool is_wide; /* else without error, total and alone */
};

/* last: the caller's columns, at most two. */
void line_sheet_start(struct line_sheet *sheet, const struct report *report,
		      const struct line_totals *totals, const struct text_column *last,
		      size_t last_count);
/* Adds the cells in front of the caller's. line NULL: empty ones. */
void line_sheet_add(struct line_sheet *sheet, const struct source_line *line);
/* Returns how many events have no column. */
struct line_events_rest line_sheet_print(struct line_sheet *sheet);

/* What the JSON of a line is made of. */
struct line_row {
	const struct source_line
		*line; /* routine SOURCE_ALL_ROUTINES: of a file, without figures */
	const struct line_totals *totals;
	const struct source_block *block; /* of the section source: where it is, and its text */
	const char *text;
};

/* fields: lines_fields, source_fields. Events come last of all keys, so that a run with them has
 * the columns of one without in front. */
struct json_object *line_json(const struct report *report, const struct row_fields *fields,
			      const struct line_row *row);
/* The figures alone: without the place, and without the spread. */
struct json_object *line_figures_json(const struct report *report, const struct line_totals *totals,
				      const struct source_line *line);
