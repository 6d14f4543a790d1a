/* SPDX-License-Identifier: MIT */
/* A run as a flat list of figures, each with a name that is valid for any other run of the program:
 * what ptrace-diff compares.
 *
 * A name is (section, key, metric). Keys are made of names of routines, objects and calls, never of
 * addresses, line numbers, directories, process or thread numbers: these differ between two runs,
 * or two builds, of the same program. Figures with the same name are merged as they are added: two
 * locks that were created on different lines of one routine are one. Ports of sockets are taken out
 * of names later, when both sides are known (socket_keys.h).
 *
 *   error      one standard deviation within the run, in the unit of the value; 0: exact
 *   effect_ns  what the value means in elapsed time (docs/diff.md defines it for each section);
 *              NAN: nothing can be said
 *   disturbance  the part that other programs on the machine may account for
 *
 * Context: one thread. Texts and figures live as long as the list. */
#pragma once

#include "analyze/model/common/grade.h"
#include "analyze/report/field_diff.h"

#include <stdbool.h>
#include <stddef.h>

struct names;
struct run;
struct sync_object;

enum figure_section {
	SECTION_OVERVIEW,
	SECTION_CONCURRENCY,
	SECTION_SECTIONS,
	SECTION_STATES,
	SECTION_ROUTINES,
	SECTION_LINES,
	SECTION_PATHS,
	SECTION_WAITS,
	SECTION_HOLDERS,
	SECTION_REQUESTS,
	SECTION_MPI,
	SECTION_OPENMP,
	SECTION_COUNTERS,
	SECTION_TABLES,
	SECTION_COUNT
};

/* Metrics of SECTION_REQUESTS that may decide. */
#define REQUESTS_A_SECOND "requests a second"
#define UNITS_A_SECOND    "units a second"

enum figure_unit { UNIT_NS, UNIT_COUNT, UNIT_BYTES, UNIT_PERCENT, UNIT_NUMBER };

/* How figures with the same name are merged. */
enum figure_union { UNITE_SUM, UNITE_MIN, UNITE_MAX };

struct figure {
	enum figure_section section;
	const char *key;
	const char *metric;
	enum figure_unit unit;
	enum figure_sense sense;
	enum figure_role role;
	enum figure_union unite;
	enum grade grade;
	double value; /* NAN: unknown */
	double error;
	double effect_ns;
	double disturbance;  /* part of the value that other load may account for */
	bool is_further;     /* one of many that say little by themselves: shown if all are asked
				for; how much work was done does not follow from it */
	bool is_cpu;         /* CPU time: a thread that waits for a processor uses none */
	bool is_detail;      /* a routine where nobody would look: an inlined leaf, a library's */
	const char *shown;   /* the key for readers: "push (queue.c)"; NULL: the key itself */
	const char *at;      /* the same with the line of its source; NULL: unknown */
	const char *subject; /* key of the figure that this is a part of, as the wait that a holder
				caused; NULL */
	const char *place;   /* the holder, the caller; NULL */
};

/* By what a figure is found. */
struct figure_name {
	enum figure_section section;
	const char *key, *metric;
};

struct figures {
	struct figure *rows;
	size_t count, capacity;
	struct text_set *texts;
	struct keyed_table *index; /* of rows, by name */
	double neighbours; /* processors that other programs took from the run, on average */
};

struct figures *figures_create(void);
void figures_destroy(struct figures *figures);

/* One that is exact, and of which no effect on the elapsed time is known; the rest is 0. */
struct figure figure_exact(enum figure_section section, const char *key, const char *metric,
			   enum figure_unit unit, enum figure_sense sense, double value);

/* A copy, with texts of its own. */
void figures_add(struct figures *figures, const struct figure *figure);
/* NULL: there is none. */
const struct figure *figures_find(const struct figures *figures, enum figure_section section,
				  const char *key, const char *metric);
/* An empty table of struct figure_name; texts of its rows belong to whoever enters them. */
struct keyed_table *figures_create_index(void);

/* Of a unit as a schema names it. */
enum figure_unit figures_unit(const char *unit);
/* The interned text. */
const char *figures_keep(struct figures *figures, const char *text);

/* Keys: what identifies a routine, an object, a place in different runs. Programs are rebuilt and
 * moved between runs: there are no line numbers in them, no directories, no addresses, and not how
 * many objects have one name. They are readable as well. All are released by the caller.
 *
 * "insert (words)", "[unsampled]": the routine and the file name of its module. */
char *figure_key_routine(const struct names *names, size_t routine);
/* "mutex queue_lock", "mutex created at main (x.c)". */
char *figure_key_object(const struct sync_object *object);
/* "insert (x.c)": the routine and the name of its source file. */
char *figure_key_place(const struct names *names, size_t routine);
/* Removes ":12" from "created at main (x.c:12)", wherever it occurs. */
char *figure_key_without_lines(const char *text);
