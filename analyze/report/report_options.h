/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-report. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum report_format {
	REPORT_TEXT,
	REPORT_JSON,
	REPORT_CSV,
	REPORT_HTML,
	REPORT_QUICKFIX,
	REPORT_DIAGNOSTICS,
	REPORT_SUMMARY
};

enum report_by { REPORT_BY_PROCESS, REPORT_BY_THREAD };

enum { SOURCE_PATHS_MAX = 32 };

/* Where sources are looked for: FROM=TO, or a directory. */
struct source_path_list {
	const char *list[SOURCE_PATHS_MAX];
	size_t count;
};

struct report_options {
	const char *run;      /* the first; NULL: the newest */
	char **runs;          /* all of them */
	size_t run_count;     /* more than one: side by side (report_runs.h) */
	const char *sections; /* NULL: all */
	const char *sort;     /* column of the sections; NULL: their own orders */
	const char *program;  /* whose processes are read; NULL: all are */
	const char *within;   /* section of the program that the report is of; NULL: all of it */
	const char *per;      /* units of work (run_units.h); NULL: none */
	const char *symbols;  /* NULL: none */
	const char *output;   /* NULL: standard output */
	const char *routine;  /* of the section source; NULL: none was asked for */
	char *file;           /* the same: the end of its path */
	unsigned line;        /* of the file; 0: all of it */
	bool is_list;         /* of the runs below the directory `run` */
	bool is_page;         /* the word html was given: the page has the name of the run */
	bool is_explained;    /* with definitions */
	bool is_for_stuck;    /* nothing is printed where nothing is stuck */
	bool has_source;      /* sources are looked for */
	struct source_path_list source_paths;
	enum report_format format;
	unsigned top; /* rows per table, 0: all */
	bool is_top_given;
	unsigned width;
	enum report_by by;
};

/* Ends the program for --help, --version, --section help (status 0) and for wrong usage (status 2).
 */
struct report_options report_options_read(int count, char **words);
