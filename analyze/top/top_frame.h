/* SPDX-License-Identifier: MIT */
/* A frame as text. Context: pure but for `out`. Names come from programs: controls become "?". */
#pragma once

#include "analyze/live/live_frame.h"

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

enum top_order { TOP_BY_CPU, TOP_BY_BLOCKED, TOP_BY_WAIT, TOP_BY_NAME, TOP_ORDERS };

struct top_view {
	unsigned width;
	bool is_utf8;
	unsigned rows[TOP_SECTIONS]; /* at most so many in each section */
	enum top_section only;
	enum top_order order; /* of threads */
	const char *filter;   /* NULL or "": all rows; otherwise those whose texts contain it */
};

void top_print_header(FILE *out, const struct top_view *view, const struct live_frame *frame);
/* Sections without rows are left out, but for threads. */
void top_print_sections(FILE *out, const struct top_view *view, const struct live_frame *frame);
/* How many rows a section has for this view. */
size_t top_count_rows(const struct top_view *view, const struct live_frame *frame,
		      enum top_section section);
const char *top_order_name(enum top_order order);
