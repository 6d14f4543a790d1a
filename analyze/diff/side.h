/* SPDX-License-Identifier: MIT */
/* One side of a comparison: its runs, read one at a time, of which the figures and the conditions
 * are kept.
 *
 * Conditions are the circumstances of a run: if they differ between the sides, a change of figures
 * may be expected. Context: reads files; ends the program with a line and status 2 if a run cannot
 * be read. */
#pragma once

#include "analyze/base/text_list.h"
#include "analyze/diff/figures.h"

enum condition {
	CONDITION_PROGRAM, /* file name of the first word of the command */
	CONDITION_COMMAND,
	CONDITION_RANKS,
	CONDITION_TEAM,
	CONDITION_THREADS,
	CONDITION_PROCESSES,
	CONDITION_PROCESSORS,
	CONDITION_HOSTS,
	CONDITION_VERSION,
	CONDITION_COUNT
};

struct side_run {
	const char *path; /* as it was given */
	char *start;
	char *conditions[CONDITION_COUNT]; /* NULL: unknown, or has none */
	struct figures *figures;
	double elapsed_ns;
	char *incomplete;          /* why it is incomplete; NULL: it is complete */
	struct text_list nameless; /* why routines have no names */
};

struct side {
	struct side_run *runs;
	size_t count;
};

struct run;
struct symbolizer;

/* What is kept of a run; path: as it was given, not copied. */
struct side_run side_run_of(const char *path, const struct run *run);
/* per: whose units of work are counted (run_units.h); NULL: none. */
struct side side_read(char *const *paths, size_t count, struct symbolizer *symbolizer,
		      const char *per);
/* One more run; the path has to live as long as the side. */
void side_add(struct side *side, const char *path, struct symbolizer *symbolizer, const char *per);
void side_clear(struct side *side);
/* Not all runs of one side were started before those of the other, as far as is known. */
bool side_are_in_turn(const struct side sides[2]);

/* The sentence for a condition in which no run of one side equals a run of the other: "B ran with 5
 * threads instead of 3"; released by the caller. NULL: there is no such difference. */
char *side_difference(const struct side sides[2], enum condition condition);
/* "with 5 threads instead of 3": the first to name of threads, OpenMP threads and ranks; NULL: they
 * are the same. Released by the caller. */
char *side_difference_in_size(const struct side sides[2]);
