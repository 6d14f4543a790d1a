/* SPDX-License-Identifier: MIT */
/* What every section of a report is given, and what a section is.
 *
 * A section is a row of the table report_sections: --section, --section help, --help, the text
 * report and the JSON report are all made from it. A section formats figures of the model and
 * computes none. To add one, write report_NAME.c, html_NAME.c for pages, and a row of
 * sections.def. */
#pragma once

#include "analyze/findings/rules/findings.h"
#include "analyze/model/run/run.h"

#include <stdbool.h>
#include <stdio.h>

struct json_object;
struct row_fields;
struct source_query;
struct source_texts;

struct report {
	const struct run *run;
	struct findings findings; /* of the run */
	FILE *out;
	size_t top; /* rows per table, 0: all */
	unsigned width;
	bool is_utf8;
	bool is_coloured;
	bool is_by_process;
	const char *sort;   /* the title of a column; NULL: each table has an order of its own */
	size_t sorted_top;  /* rows per table where sort is set; top is 0 then */
	const char *within; /* the part of the run that it is of (report_within.h); NULL: all */
	const char *more;   /* other sections, for the overview: report_order.h; NULL: none */
	bool is_explained;  /* sections with their definitions, findings with all that is known */
	const struct source_query *source; /* what the section source lists; NULL: nothing */
	struct source_texts *source_texts; /* NULL: none are looked for */
};

struct report_section {
	const char *name;
	const char *title;   /* on a page */
	const char *defines; /* one sentence that defines its columns, short enough for one line */
	const char *help;    /* the rest, for --section help */
	const char *json_key;
	bool (*is_worth_text)(
		const struct report *report); /* NULL: always; a section that was asked for by name
						 is always printed */
	void (*print_text)(const struct report *report);
	struct json_object *(*make_json)(const struct report *report);
	const char
		*part; /* key of its JSON under which the section's own part is; NULL: all of it */
	/* CSV: of what the column names are made if there are no rows, or the names themselves */
	const struct row_fields *fields;
	const char *columns;
	struct json_object *(*make_rows)(
		const struct report *report); /* CSV; NULL: the part of its JSON */
};

/* In the order of the report. A row without print_text is a key that exists only in the JSON. */
extern const struct report_section report_sections[];
extern const size_t report_section_count;

/* How many of `count` rows are shown. */
size_t report_rows(const struct report *report, size_t count);
/* "... and 5 more", if rows are missing. */
void report_print_rest(const struct report *report, size_t count);
void report_print_more(const struct report *report, size_t missing);
/* Prints a paragraph wrapped at the width: `first` in front of its first line, as many blanks in
 * front of the others. */
void report_print_wrapped(const struct report *report, const char *first, const char *text);
/* A duration with the mark of its grade; released by the caller. */
char *report_graded_seconds(const struct report *report, double ns, enum grade grade);
/* The error of a sampled time, percent; "" without samples; released by the caller. */
char *report_error_text(const struct report *report, uint64_t samples);
/* "f (x.c:12)", "libm.so.6: f"; released by the caller. */
char *report_place(const struct report *report, size_t routine, unsigned line);
/* The same in JSON: "routine", "file", "line"; what is not known is null. */
void report_add_place(const struct report *report, struct json_object *object, size_t routine,
		      unsigned line);
/* What a row of synchronization is of, and its name. */
const struct sync_object *report_object(const struct report *report, const struct sync_row *row);
const char *report_object_name(const struct report *report, const struct sync_row *row);
/* Why there is nothing to fix first, in words; NULL: there is a finding to fix first. */
const char *report_nothing_to_fix(const struct report *report);
/* The number of ranks, their efficiency and their time in MPI, in one line; released by the caller.
 * NULL: no MPI job. */
char *report_mpi_summary(const struct report *report);
/* The number of a rank and, if the run has several jobs, of its job (mpi_job_of); released by the
 * caller. */
char *report_rank_text(const struct report *report, uint64_t job, uint64_t rank);
/* OpenMP regions and how well their threads were used, in one line; released by the caller. */
char *report_openmp_summary(const struct report *report);
/* "60003 by redis-server, 20600 a second; CPU 29.0 us each; half ~24 us, 99 % ~60 us"; NULL:
 * nothing was answered. */
char *report_requests_summary(const struct report *report);
/* "solve 1.21 s (50 times), CEFF 87 %; io 96.0 ms (5 times), CEFF 9 %"; "": there are no sections.
 */
char *report_sections_summary(const struct report *report);
/* Of --per; NULL: it was not given. */
char *report_units_summary(const struct report *report);
struct json_object *report_units_json(const struct report *report);
/* Whose concurrency is shown, that of the job or that of one process, in a sentence; NULL: there is
 * only one process. Released by the caller. */
char *report_concurrency_subject(const struct report *report);
/* T_i that the table does not have in a sentence: of all processes together, or of the one with the
 * most CPU time. NULL: there is only one, or a job. Released by the caller. */
char *report_together(const struct report *report);
/* How far T_i may be off that windows of switch records tell; NULL: there were none. Released by
 * the caller. */
char *report_window_errors(const struct report *report);
/* "exact", "sampled", "estimated", NULL. */
const char *report_grade_text(enum grade grade);

/* What a section says in words: lines with a name and a sentence, the same for text and pages. */

#define REPORT_FACTS_MAX 12

struct report_fact {
	const char *name;
	char *text;
};

struct report_facts {
	struct report_fact rows[REPORT_FACTS_MAX];
	size_t count;
};

/* Takes ownership of the text; a NULL text adds no fact. */
void report_facts_add(struct report_facts *facts, const char *name, char *text);
/* One of them as text, with a name `columns` wide; an empty text prints nothing. */
void report_fact_print(const struct report *report, const char *name, const char *text,
		       int columns);
/* Prints them as text, with names `columns` wide. */
void report_facts_print(const struct report *report, const struct report_facts *facts, int columns);
void report_facts_clear(struct report_facts *facts);

/* What is printed if a section has no facts. */
#define REPORT_NO_RANKS  "no process has come to MPI_Init"
#define REPORT_NO_OPENMP "no OpenMP runtime was seen"

struct report_facts report_overview_facts(const struct report *report);
struct report_facts report_mpi_facts(const struct report *report);
struct report_facts report_openmp_facts(const struct report *report);
