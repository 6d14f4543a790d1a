/* SPDX-License-Identifier: MIT */
/* Which lines of a routine are one entry of the line table: samples cannot tell them apart
 * (symbols/dwarf_rows.h). Context: pure. */
#pragma once

#include "analyze/tables/merged.h"

#include <stddef.h>

/* The key is the routine and the line that has the figures. */
struct line_span {
	struct merged_line_spans;
};

struct line_spans;

struct line_spans *line_spans_create(void);
void line_spans_destroy(struct line_spans *spans);
/* Makes the entry longer, where an address says so. */
void line_spans_add(struct line_spans *spans, const struct line_span *span);
/* NULL: the line is an entry of its own. */
const struct line_span *line_spans_find(const struct line_spans *spans, size_t routine,
					size_t line);
size_t line_spans_count(const struct line_spans *spans);
const struct line_span *line_spans_at(const struct line_spans *spans, size_t number);
