/* SPDX-License-Identifier: MIT */
/* Source beside its figures: the lines of a routine, or of a file, that have any, and the source
 * around them.
 *
 * A block is one routine in one file, or one file with the code of all routines. A row is a line;
 * if several routines have figures at the line (templates, inlined copies), it is several rows.
 * Between rows whose lines do not follow each other, lines without figures are left out. Without a
 * source text, the rows are the lines with figures. Context: asks for source files. */
#pragma once

#include "analyze/model/lines/source_lines.h"
#include "analyze/symbols/source_text.h"

/* What to list. Without a routine, a file and routines: the routines in which most time was spent.
 */
struct source_query {
	const char *routine;    /* its name, with or without what stands before the last "::" */
	const char *file;       /* the path in the debugging information, or the end of it */
	unsigned line;          /* of the file: only what is near; 0: all of it */
	size_t most;            /* routines that are listed without being asked for */
	const size_t *routines; /* numbers of those to list, in this order; NULL: see above */
	size_t routine_count;
	size_t rows_most; /* lines with figures of a block, those with the most; 0: all */
};

struct source_row {
	unsigned line;                     /* 0: code without a known line */
	const char *text;                  /* NULL: not known, or the row before has it */
	const struct source_line *figures; /* NULL: none */
};

struct source_block {
	size_t routine;                 /* number in names, or SOURCE_ALL_ROUTINES */
	const char *file;               /* in the debugging information; NULL: not known */
	const struct source_text *text; /* NULL: not looked for */
	struct source_row *rows;        /* by line */
	size_t count;
	size_t left_out; /* lines with figures beyond rows_most */
};

struct source_listing {
	struct source_block *blocks; /* where most time was spent first */
	size_t count;                /* 0: nothing fits the query */
};

/* texts NULL: no file is looked for. Lives no longer than lines and texts. */
struct source_listing source_listing_of(const struct run *run, const struct source_lines *lines,
					const struct source_query *query,
					struct source_texts *texts);
/* The file of a routine; NULL: none is known, or looked for. */
const struct source_text *source_listing_text(const struct run *run,
					      const struct source_lines *lines, size_t routine,
					      struct source_texts *texts);
void source_listing_clear(struct source_listing *listing);
