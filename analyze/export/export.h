/* SPDX-License-Identifier: MIT */
/* A run on its way into the format of another tool.
 *
 * A format is a record in one table (export_formats.c); the command line, --help and the messages
 * come from it. Its function is given the finished model, and may read the profiles once more, one
 * at a time: what it writes leaves memory at once, so that a run of any size can be exported. Names
 * come from the model's `names`. Totals are those of ptrace-report, to the nanosecond, as long as
 * the run has ended; of a running program a profile may have gone on since the model was made.
 * Context: one thread. Times in nanoseconds. */
#pragma once

#include "analyze/model/run/run.h"

#include <stdio.h>

enum export_measure { EXPORT_CPU, EXPORT_ALONE, EXPORT_WAIT, EXPORT_ELAPSED, EXPORT_MEASURES };

struct export
{
	const struct export_format *format;
	struct run_files *files;
	struct run *run;
	FILE *out;          /* NULL where the format writes to a file of its own */
	const char *output; /* -o; NULL: standard output */
	enum export_measure measure;
	/* for a format that compares runs */
	char *const *runs;
	size_t run_count;
	const char *symbols;
	bool is_complete; /* of all of them; set by the format, as are the notes */
	struct text_list notes;
};

/* What a format needs. */
enum export_needs {
	EXPORT_PATHS = 1,    /* the calling-context tree */
	EXPORT_PROFILES = 2, /* the profiles: it cannot be made of a merged run */
	EXPORT_OWN_FILE = 4, /* opens the file of -o itself, which must be given */
	EXPORT_BINARY = 8,   /* not for a terminal */
	EXPORT_MEASURE = 16, /* accepts --measure */
	EXPORT_RUNS = 32,    /* several runs, which it reads itself: files and run are NULL */
};

struct export_format {
	const char *name;
	const char *reader; /* the same by what reads it, in small letters; NULL: it has the name */
	const char *suffix; /* of the files that its readers expect */
	const char *help;   /* one line */
	unsigned needs;     /* enum export_needs */
	void (*write)(struct export *export);
};

extern const struct export_format export_formats[];
extern const size_t export_format_count;

/* By its name or its reader's; NULL: there is none. */
const struct export_format *export_find_format(const char *name);
/* The nth of all names, those of readers last; NULL: there are no more. */
const char *export_format_word(size_t index);
/* "folded (flamegraph), speedscope, ..."; released by the caller. */
char *export_format_names(void);

/* Calls visit for each process that has a profile; others are left out, which the run's notes say.
 */
typedef void export_visit(void *data, const struct profile *profile, const struct process *process);
void export_profiles(struct export *export, export_visit *visit, void *data);

/* Of one node; the measure is one of the times. */
uint64_t export_measure_of(const struct path_figures *figures, enum export_measure measure);
const char *export_measure_name(enum export_measure measure);

void export_folded(struct export *export);
void export_speedscope(struct export *export);
void export_chrome(struct export *export);
void export_pprof(struct export *export);
void export_callgrind(struct export *export);
void export_sqlite(struct export *export);
void export_extrap(struct export *export);
