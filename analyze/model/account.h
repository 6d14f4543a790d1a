/* SPDX-License-Identifier: MIT */
/* What is kept of a profile when it is closed again: rows of tables, keyed by what reports show.
 *
 * Profiles are read one after the other, and one is open at a time. Each part of the model is an
 * account: a record in account_kinds[] with its tables and a function that adds one profile to
 * them. Nothing that an account keeps may point into a profile, and nothing may grow with the
 * number of processes but one row for each (tables keyed by a process), bounded tables, and what is
 * keyed by names that reports show.
 *
 * A table is a list of columns, an X-macro, from which come the C struct of its rows, how two rows
 * of equal keys unite, and how the table stands in a merged file: writing, reading and uniting need
 * no code of their own, and a new figure is one line and the place that counts it. Sums are
 * integers, wide where squares are added, so that the result does not depend on the order in which
 * files come or on how many programs share a merge.
 *
 *   #define FRUIT_ROW(COLUMN, ROW)                                         \
 *           COLUMN(ROW, TEXT, name, KEY, none, "what it is called")         \
 *           COLUMN(ROW, NUMBER, count, SUM, count, "how many were eaten")   \
 *           COLUMN(ROW, NUMBER, largest, MAX, bytes, "the largest")         \
 *           COLUMN(ROW, PROCESS, largest_in, WITH, none, "who had it")
 *   ACCOUNT_STRUCT(fruit_row, FRUIT_ROW);            in the header: struct fruit_row
 *   ACCOUNT_TABLE(fruit_row, FRUIT_ROW, "fruit");    in the source: fruit_row_table
 *
 * Context: one thread. Rows never move; they live as long as the accounts. Everything in a row may
 * have come from a damaged file: texts are whatever, numbers of enums are below their limits (their
 * types see to that), numbers of routines and processes are valid or ACCOUNT_NONE. */
#pragma once

#include "analyze/model/grade.h"
#include "analyze/model/names.h"
#include "analyze/read/profile_read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- columns */

#define ACCOUNT_NONE      UINT64_MAX /* no process, no routine, no rank */
#define ACCOUNT_HISTOGRAM 32

enum account_type {
	ACCOUNT_NUMBER,
	ACCOUNT_WIDE, /* 128 bits: sums of squares, and of times multiplied */
	ACCOUNT_TEXT, /* kept by names_keep_text, so that equal texts are one pointer; never NULL */
	ACCOUNT_ROUTINE, /* number in names */
	ACCOUNT_PROCESS, /* number of a process: see accounts_process */
	ACCOUNT_CAUSE,
	ACCOUNT_OPERATION,
	ACCOUNT_GRADE,
	ACCOUNT_LIFE,   /* enum life_state */
	ACCOUNT_CAUSES, /* one number for each cause */
	ACCOUNT_HIST,   /* ACCOUNT_HISTOGRAM numbers */
};

typedef uint64_t account_NUMBER;
typedef unsigned __int128 account_WIDE;
typedef const char *account_TEXT;
typedef uint64_t account_ROUTINE;
typedef uint64_t account_PROCESS;
typedef uint64_t account_CAUSE;
typedef uint64_t account_OPERATION;
typedef uint64_t account_GRADE;
typedef uint64_t account_LIFE;
typedef uint64_t account_CAUSES[CAUSE_LIMIT];
typedef uint64_t account_HIST[ACCOUNT_HISTOGRAM];

/* How two rows of equal keys unite. A table without keys has a row for each account_add. */
enum account_rule {
	ACCOUNT_KEY,
	ACCOUNT_SUM,
	ACCOUNT_MIN,
	ACCOUNT_MAX,
	ACCOUNT_FIRST,
	ACCOUNT_WITH, /* goes with the nearest column above it that is MIN or MAX */
};

struct account_column {
	const char *name, *unit, *meaning;
	enum account_type type;
	enum account_rule rule;
	size_t offset;
};

struct account_table {
	const char *name, *meaning;
	size_t row_bytes;
	const struct account_column *columns;
	size_t column_count;
};

#define ACCOUNT_FIELD(row, type, name, rule, unit, meaning) account_##type name;
#define ACCOUNT_STRUCT(row, COLUMNS)                                                               \
	struct row {                                                                               \
		COLUMNS(ACCOUNT_FIELD, row)                                                        \
	};                                                                                         \
	extern const struct account_table row##_table

#define ACCOUNT_DESCRIBE(row, type, name, rule, unit, meaning)                                     \
	{#name, #unit, meaning, ACCOUNT_##type, ACCOUNT_##rule, offsetof(struct row, name)},
#define ACCOUNT_TABLE(row, COLUMNS, meaning)                                                       \
	static const struct account_column row##_columns[] = {COLUMNS(ACCOUNT_DESCRIBE, row)};     \
	const struct account_table row##_table = {#row, meaning, sizeof(struct row),               \
						  row##_columns,                                   \
						  sizeof row##_columns / sizeof *row##_columns}

/* ---- rows */

struct account_rows;

/* The row with the keys of `probe`. If there is none, one is made with these keys, and zeros (texts
 * "", processes and routines ACCOUNT_NONE) elsewhere. Add to its columns by hand. */
void *account_row(struct account_rows *rows, const void *probe);
/* Unites a whole row with the one of its keys by the rules of the columns. Returns that row. */
void *account_add(struct account_rows *rows, const void *row);
size_t account_count(const struct account_rows *rows);
/* In the order in which their keys came first. */
void *account_at(const struct account_rows *rows, size_t index);

/* ---- accounts */

struct process; /* model/process.h */
struct thread_time;

/* A profile that is open, and what is known of it already. */
struct account_source {
	struct names *names;
	const struct profile *profile;
	struct process *process; /* its row: kept; number, rank, life and times are in it */
	const struct thread_time *threads; /* of all rows of profile->threads that were used */
	size_t thread_count;
};

struct account {
	const struct account_kind *kind;
	struct account_rows **rows; /* as many, in the order of kind->tables */
	void *scratch;
};

struct account_kind {
	const struct account_table *const *tables; /* NULL behind the last */
	void (*add)(struct account *account, const struct account_source *source);
	size_t scratch_bytes; /* memory of its own for `add`, zeroed at first; nothing of it is
				 written to merged files */
	void (*clear_scratch)(void *scratch); /* may be NULL */
};

/* The list of all accounts, in the order in which a profile is added to them: accounts.c. */
extern const struct account_kind *const account_kinds[];
extern const size_t account_kind_count;

struct accounts;

struct accounts *accounts_create(struct names *names);
void accounts_destroy(struct accounts *accounts);
struct names *accounts_names(const struct accounts *accounts);
/* Rows of one table of any account, for those who compute figures from them. */
struct account_rows *accounts_rows(const struct accounts *accounts,
				   const struct account_table *table);
/* The row of a process by its number, which is its place in the table of processes. */
struct process *accounts_process(const struct accounts *accounts, uint64_t number);
