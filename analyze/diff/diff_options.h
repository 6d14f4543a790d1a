/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-diff. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum diff_format { DIFF_TEXT, DIFF_JSON, DIFF_HTML, DIFF_MARKDOWN, DIFF_JUNIT, DIFF_FORMATS };

struct diff_options {
	/* The runs of both sides; with --scaling all runs are in the first list. The words are
	 * those of the command line; owned is what diff_options_clear releases. */
	char **runs[2], **owned;
	size_t run_count[2];
	enum diff_format format;
	double threshold_percent; /* smallest change that counts */
	const char *symbols;      /* NULL: none */
	const char *output;       /* NULL: standard output */
	unsigned top;             /* rows per table, 0: all */
	bool is_top_given;
	unsigned width;
	bool is_scaling, is_weak;
	bool is_strict;        /* status 4 if it cannot be told */
	unsigned run_pairs;    /* --run: at most so many; 0: it is not given. The lists above are
				  then the words of both programs, each ended by NULL */
	const char *directory; /* of these runs; NULL: a new one here */
	const char *baseline;  /* directory of runs, of which the newest are A; NULL: none. The
				  first list is then empty until baseline.h has filled it */
	unsigned newest;
	unsigned metrics; /* which figures decide: metrics.h */
	const char *per;  /* units of work; NULL: none are counted */
};

/* Ends the program for --help, --version (status 0) and for wrong usage (status 2). */
struct diff_options diff_options_read(int count, char **words);
void diff_options_clear(struct diff_options *options);
