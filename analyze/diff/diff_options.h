/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-diff. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum diff_format { DIFF_TEXT, DIFF_JSON, DIFF_HTML };

struct diff_options {
	/* The runs of both sides; with --scaling all runs are in the first list. The words are
	 * those of the command line; the first list is owned, the second may be a part of it. */
	char **runs[2];
	size_t run_count[2];
	enum diff_format format;
	double threshold_percent; /* smallest change that counts */
	const char *symbols;      /* NULL: none */
	const char *output;       /* NULL: standard output */
	unsigned top;             /* rows per table, 0: all */
	bool is_top_given;
	unsigned width;
	bool is_scaling, is_weak;
};

/* Ends the program for --help, --version (status 0) and for wrong usage (status 2). */
struct diff_options diff_options_read(int count, char **words);
void diff_options_clear(struct diff_options *options);
