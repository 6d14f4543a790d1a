/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/line_spans.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"

#include <stdlib.h>

struct line_spans {
	struct keyed_table *rows; /* struct line_span */
};

struct line_spans *line_spans_create(void)
{
	struct line_spans *spans = memory_allocate(1, sizeof *spans);

	spans->rows =
		keyed_table_create(sizeof(struct line_span), offsetof(struct line_span, first));
	return spans;
}

void line_spans_destroy(struct line_spans *spans)
{
	keyed_table_destroy(spans->rows);
	free(spans);
}

void line_spans_add(struct line_spans *spans, const struct line_span *span)
{
	struct line_span *row = keyed_table_enter(spans->rows, span, NULL);

	if (span->first < row->first)
		row->first = span->first;
	if (span->last > row->last)
		row->last = span->last;
}

const struct line_span *line_spans_find(const struct line_spans *spans, size_t routine, size_t line)
{
	const struct line_span probe = {.routine = routine, .line = line};

	return keyed_table_find(spans->rows, &probe);
}

size_t line_spans_count(const struct line_spans *spans)
{
	return keyed_table_count(spans->rows);
}

const struct line_span *line_spans_at(const struct line_spans *spans, size_t number)
{
	return keyed_table_row(spans->rows, number);
}
