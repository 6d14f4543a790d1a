/* SPDX-License-Identifier: MIT */
/* The figures of a source line, as columns of text and as JSON: the same for the hottest lines and
 * for the source beside its figures. */
#pragma once

#include "analyze/model/lines/source_lines.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report.h"

/* Sums over all lines of the run: what shares are of. */
struct line_totals {
	double cpu_ns, wait_ns, mpi_ns, blame_ns;
};

/* Adds the waits, MPI calls and blame of a line. */
void line_totals_add(struct line_totals *totals, const struct source_line *line);
struct line_totals line_totals_of(const struct report *report, const struct source_lines *lines);

#define LINE_FIGURES                                                                               \
	{"self", TEXT_RIGHT}, {"error", TEXT_RIGHT}, {"share", TEXT_RIGHT}, {"total", TEXT_RIGHT}, \
		{"alone", TEXT_RIGHT}, {"waits", TEXT_RIGHT}, {"MPI", TEXT_RIGHT},                 \
	{                                                                                          \
		"blame", TEXT_RIGHT                                                                \
	}
#define LINE_FIGURE_COUNT  8
#define LINE_FIGURES_WIDTH 80 /* below it error, total and alone are left out */

/* Adds the cells of LINE_FIGURES. line NULL: empty ones. */
void line_figures_add(const struct report *report, struct text_table *table,
		      const struct line_totals *totals, const struct source_line *line);
/* line->routine SOURCE_ALL_ROUTINES: a line of a file, without figures. */
struct json_object *line_json(const struct report *report, const struct line_totals *totals,
			      const struct source_line *line);
/* The figures alone: without the place, and without the spread. */
struct json_object *line_figures_json(const struct line_totals *totals,
				      const struct source_line *line);
