/* SPDX-License-Identifier: MIT */
/* ptrace-diff A B: what changed between two runs, or two groups of runs. */
#pragma once

#include "analyze/base/text_list.h"
#include "analyze/diff/change.h"
#include "analyze/diff/diff_options.h"

#include <stdio.h>

/* What is printed. */
struct diff {
	const struct diff_options *options;
	struct side sides[2];
	struct changes changes;
	char *headline;
	int status;
	struct text_list differences; /* of the conditions */
	struct text_list notes;
};

/* Reads the runs, prints, and returns the exit status. */
int diff_run(const struct diff_options *options);

/* Compares the sides, prints, releases everything, and returns the exit status. */
int diff_finish(struct diff *diff);
/* Compares the sides: sets everything else that is printed, and prints lines on standard error. */
void diff_compare(struct diff *diff);
/* Releases everything, including the sides. */
void diff_clear(struct diff *diff);

/* At most LINES_DEFAULT lines, unless the user asked for a number of rows. */
void diff_print_text(const struct diff *diff, FILE *out);
void diff_print_html(const struct diff *diff, FILE *out);
void diff_print_json(const struct diff *diff, FILE *out);
/* A table for the comment of a merge request, or the summary of a job. */
void diff_print_markdown(const struct diff *diff, FILE *out);
/* A test case for each metric that was asked for. */
void diff_print_junit(const struct diff *diff, FILE *out);

/* The sections, by enum figure_section; definition: one sentence that says what its rows are. */
struct diff_section {
	const char *name, *title, *definition;
};
extern const struct diff_section diff_sections[SECTION_COUNT];
extern const struct diff_section diff_evidence; /* of evidence.h, whatever the section */

/* The changes of a section that are worth a line, or all if top is 0: first those that decide or
 * were asked for by --metric, then the others, in their order; the overview keeps its own. Released
 * by the caller. */
const struct change **diff_rows(const struct diff *diff, enum figure_section section, size_t top,
				size_t *count);

/* What is known about chance, in one sentence; released by the caller. */
char *diff_noise_text(const struct diff *diff);
