/* SPDX-License-Identifier: MIT */
/* What every section of a report is given, and what a section is.
 *
 * A section is a row of the table report_sections: --section, --section help, --help, the text and
 * the JSON all come from it. It formats figures of the model and computes none. A new section is a
 * file report_NAME.c, its face on a page html_NAME.c, and a row in sections.def. */
#pragma once

#include "analyze/findings/rules/findings.h"
#include "analyze/model/run/run.h"

#include <stdbool.h>
#include <stdio.h>

struct json_object;

struct report {
	const struct run *run;
	struct findings findings; /* of the run */
	FILE *out;
	size_t top; /* rows per table, 0: all */
	unsigned width;
	bool is_utf8;
	bool is_coloured;
	bool is_by_process;
};

struct report_section {
	const char *name;
	const char *title;   /* on a page */
	const char *defines; /* one sentence that says what its columns are, short enough for one
				line */
	const char *help;    /* the rest, for --section help */
	const char *json_key;
	bool (*is_worth_text)(const struct report *report); /* NULL: always; a section asked for by
							       name is always printed */
	void (*print_text)(const struct report *report);
	struct json_object *(*make_json)(const struct report *report);
	const char *part;    /* key inside of its JSON that is the section's own; NULL: all of it */
	const char *columns; /* as CSV without rows */
	struct json_object *(*make_rows)(
		const struct report *report); /* as CSV; NULL: the part of its JSON */
};

/* In the order of the report. A row without print_text is a key that only the JSON has. */
extern const struct report_section report_sections[];
extern const size_t report_section_count;

/* Rows to show of `count`. */
size_t report_rows(const struct report *report, size_t count);
/* "... and 5 more", if rows are missing. */
void report_print_rest(const struct report *report, size_t count);
void report_print_more(const struct report *report, size_t missing);
/* A paragraph wrapped at the width: `first` in front of its first line, as many blanks in front of
 * the others. */
void report_print_wrapped(const struct report *report, const char *first, const char *text);
/* A table of texts with a mark for the grade. */
char *report_graded_seconds(const struct report *report, double ns, enum grade grade);
/* "f (x.c:12)", "libm.so.6: f"; released by the caller. */
char *report_place(const struct report *report, size_t routine, unsigned line);
/* Why there is nothing to fix first, in words; NULL: there is something. */
const char *report_nothing_to_fix(const struct report *report);
/* Ranks, their efficiency and their time in MPI, in one line; released by the caller. NULL: no
 * job. */
char *report_mpi_summary(const struct report *report);
/* A rank, and of several jobs which one (mpi_job_of); released by the caller. */
char *report_rank_text(const struct report *report, uint64_t job, uint64_t rank);
/* Regions of OpenMP and how well their threads were used, in one line; released by the caller. */
char *report_openmp_summary(const struct report *report);
/* Which of the two, in a sentence; NULL: there is one process. Released by the caller. */
char *report_concurrency_subject(const struct report *report);
/* "exact", "sampled", "estimated", NULL. */
const char *report_grade_text(enum grade grade);
