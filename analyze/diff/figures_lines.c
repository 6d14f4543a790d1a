/* SPDX-License-Identifier: MIT */
/* Figures of source lines, those with a noticeable part of the elapsed time. A line is identified
 * by routine, file name and number: if lines were inserted above it, it is another one. */
#include "analyze/diff/extract.h"
#include "analyze/model/lines/source_lines.h"
#include "analyze/report/report_lines.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

/* Below this share of the run's time a line is no figure of its own. */
#define LINE_SHARE_MIN 0.001

static void add_line(const struct extract *extract, const struct line_row *row)
{
	const struct source_line *line = row->line;
	char *key = names_place_text(extract->run->names, line->routine, (unsigned)line->line);
	const struct extract_row of = {
		.like = {.section = SECTION_LINES, .key = key, .is_further = true},
		.scale = {[TIME_OF_THREADS] = {1, extract->threads},
			  [TIME_CPU] = {1, extract->busy}},
		.samples = line->cpu ? line->cpu->samples : 0,
		.is_sparse = true,
	};

	extract_fields(extract, &of, &lines_fields, row);
	free(key);
}

void extract_lines(const struct extract *extract)
{
	struct source_lines lines = source_lines_of(extract->run);
	struct line_totals totals = line_totals_of(&extract->report, &lines);
	double least = LINE_SHARE_MIN * (double)extract->run->elapsed_ns;

	for (size_t i = 0; i < lines.count; i++) {
		const struct line_row row = {.line = &lines.rows[i], .totals = &totals};
		bool is_small = source_line_spent_ns(row.line) < least &&
				(double)row.line->blame_ns < least;

		if (row.line->line && !is_small)
			add_line(extract, &row);
	}
	source_lines_clear(&lines);
}
