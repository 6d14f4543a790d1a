/* SPDX-License-Identifier: MIT */
/* Counted events as columns of source lines: beside the figures of a line, in one run or in
 * several, and as JSON.
 *
 * An event is the same in two runs if it has the same name. A line has what was counted in its own
 * code, as the section counters has it, so that the sums over the lines of a routine are the
 * routine's. Context: pure. */
#pragma once

#include "analyze/model/lines/source_lines.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report.h"

enum {
	LINE_EVENTS_MOST = 4, /* in text */
	LINE_EVENTS_RUNS = 8, /* runs side by side */
	LINE_EVENT_COLUMNS = LINE_EVENTS_MOST * LINE_EVENTS_RUNS,
};

/* Events without a column: those that a wider text has one for, and those beyond the most. */
struct line_events_rest {
	size_t narrow, beyond;
};

/* Columns of text: of one run an event and its share, of several the event in each. */
struct line_events {
	const struct counters *runs[LINE_EVENTS_RUNS];
	size_t run_count;
	const char *names[LINE_EVENTS_MOST];
	size_t count;
	struct line_events_rest rest;
	char *titles[LINE_EVENT_COLUMNS]; /* of the columns of counts */
	size_t column_count;
	unsigned width; /* of all columns */
};

/* As many events as there is room for, at least one if any was asked for: those first that some
 * run counted. Released with line_events_clear. */
struct line_events line_events_of(const struct run *const *runs, size_t count, unsigned room,
				  bool is_utf8);
/* Adds the columns; returns how many. columns: has room for 2 * LINE_EVENTS_MOST of one run, and
 * LINE_EVENT_COLUMNS of several. */
size_t line_events_columns(const struct line_events *events, struct text_column *columns);
/* Adds the cells of the columns. lines: of each run; NULL: the run has no figures at it. misfits:
 * whether the source that is shown is not that of a run, which a question mark says; NULL: it is.
 */
void line_events_add(const struct line_events *events, struct text_table *table,
		     const struct source_line *const *lines, const bool *misfits);
/* Says below the tables how many events have no column, and what shows them. */
void line_events_print_rest(const struct report *report, struct line_events_rest rest);
void line_events_clear(struct line_events *events);

/* "events": an object for each event of the run; without events nothing is added. */
void line_events_add_json(const struct report *report, struct json_object *object,
			  const struct counters *counters, const struct source_line *line);
