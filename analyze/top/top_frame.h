/* SPDX-License-Identifier: MIT */
/* A frame as text. Context: pure but for `out`. Names come from programs: controls become "?". */
#pragma once

#include "analyze/live/live_frame.h"
#include "analyze/print/text_table.h"

#include <stdio.h>

enum top_section {
	TOP_THREADS,
	TOP_WAITS,
	TOP_ROUTINES,
	TOP_MPI,
	TOP_IO,
	TOP_PROCESSES,
	TOP_SECTIONS, /* how many; as `only`: all of them */
};

/* Columns of threads, from left to right. Rows can be sorted by each but the last minute. */
enum top_column {
	TOP_NAME,
	TOP_TID,
	TOP_RANK,
	TOP_STATE,
	TOP_CPU,
	TOP_READY,
	TOP_BLOCKED,
	TOP_FOR,
	TOP_LOCKS,
	TOP_ENDED,
	TOP_TRANSFERS,
	TOP_BYTES,
	TOP_REQUESTS,
	TOP_MINUTE,
	TOP_OBJECT,
	TOP_HOLDER,
	TOP_PLACE,
	TOP_COLUMNS
};

/* Where the rows of threads, or of the tree of processes, are on a page, for what stands out on a
 * terminal. */
struct top_marks {
	long table_at; /* bytes of `out` before the table, whose first line are titles; -1: none */
	size_t rows;   /* below them */
	struct text_span columns[TOP_COLUMNS]; /* of threads */
};

struct top_view {
	unsigned width;
	bool is_utf8;
	unsigned rows[TOP_SECTIONS]; /* at most so many in each section */
	enum top_section only;
	const char *filter; /* NULL or "": all rows; otherwise those whose texts contain it */

	enum top_column order; /* of threads; is_order_shown: in the titles as well */
	bool is_order_shown;
	bool has_rates;          /* columns of rates and of the last minute: where there is room, */
	bool is_rates;           /* or always, and then not what is waited for */
	bool is_tree;            /* processes below those that started them */
	uint64_t pid;            /* threads of this process alone; 0: of all */
	size_t first;            /* rows of threads, or of the tree, that are left out above */
	struct top_marks *marks; /* NULL: nobody asks */
};

void top_print_header(FILE *out, const struct top_view *view, const struct live_frame *frame);
/* Sections without rows are left out, but for threads. */
void top_print_sections(FILE *out, const struct top_view *view, const struct live_frame *frame);
/* How many rows a section has for this view. */
size_t top_count_rows(const struct top_view *view, const struct live_frame *frame,
		      enum top_section section);
