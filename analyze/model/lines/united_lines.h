/* SPDX-License-Identifier: MIT */
/* The source lines of several runs side by side.
 *
 * A line is the same in two runs if routine, file (its whole path) and number are; code without a
 * known file is the same if the routine and the last part of the object's path are. Whether the
 * number means the same text in all runs, the source decides: each run is asked for its own
 * (united_lines_text).
 *
 * The united lines are a run of their own, as far as a listing of source needs one
 * (source_listing.h): its figures are the sums over the runs, and decide the order. Context: pure,
 * but for united_lines_text. Lives no longer than the runs. */
#pragma once

#include "analyze/model/lines/source_lines.h"
#include "analyze/symbols/source_text.h"

struct united_lines {
	struct run run;            /* only its names are there */
	struct source_lines lines; /* the most time in all runs together first */
	const struct run *const *runs;
	size_t run_count;
	struct keyed_table *sums;  /* figures of a line in a run, and in all */
	struct keyed_table *files; /* of each run: the object that has code of a file */
};

struct united_lines united_lines_of(const struct run *const *runs, size_t count);
void united_lines_clear(struct united_lines *united);

/* The figures of a united line in a run; NULL: there are none. */
const struct source_line *united_lines_in_run(const struct united_lines *united,
					      const struct source_line *line, size_t run);

/* The source of a file as that run has it; NULL: the run has no figures of the file. file: as the
 * united names have it; texts: of that run. */
const struct source_text *united_lines_text(const struct united_lines *united, const char *file,
					    size_t run, struct source_texts *texts);
