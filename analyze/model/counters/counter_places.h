/* SPDX-License-Identifier: MIT */
/* What was counted at a place: a routine, a line, a level of concurrency, a cause of waiting, a
 * thread, a process.
 *
 * A place has a sum for each event, and for CPU time (number COUNTER_CPU, in ns), which formulas
 * divide by. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTER_CPU 0 /* events have the numbers from 1 on */

enum counter_kind {
	COUNTER_ROUTINE, /* a: the routine; b: COUNTER_WHOLE, or one of its lines (0: unknown) */
	COUNTER_CAUSE,   /* a: enum cause; 0: in no wait */
	COUNTER_LEVEL,   /* a: threads on a processor; 255: so many or more; 0: unknown */
	COUNTER_PROCESS, /* a: index in run->processes */
	COUNTER_THREAD,  /* a: index in run->processes; b: in its threads */
	COUNTER_KINDS
};

#define COUNTER_WHOLE SIZE_MAX

struct counter_sum {
	uint64_t count; /* by the kernel; of CPU time nanoseconds */
	double scaled;  /* the same, by each thread's factor for the time in which it was counted */
	uint64_t samples; /* behind it */
};

/* Where a sum belongs. */
enum counter_part {
	COUNTER_SELF,    /* all of a place; of a routine its own code */
	COUNTER_ALONE,   /* part of self: no other thread of the process was on a processor */
	COUNTER_COMPANY, /* part of self: two threads or more were; where that is not known, neither
			  */
	COUNTER_TOTAL,   /* of a routine: with what it called */
	COUNTER_PARTS
};

struct counter_sums {
	struct counter_sum part[COUNTER_PARTS];
	bool is_known; /* of a thread or process: it counted the event, if only to 0 */
};

struct counter_place {
	size_t kind, a, b; /* the key; kind: enum counter_kind */
	struct counter_sums *sums;
	size_t limit;   /* of sums: what is beyond is 0 */
	size_t seen_in; /* serial number of the sample that was counted last in its total */
};

struct counter_table;

struct counter_table *counter_table_create(void);
void counter_table_destroy(struct counter_table *table);
struct counter_place *counter_table_place(struct counter_table *table, enum counter_kind kind,
					  size_t a, size_t b);
/* NULL: nothing was counted there. */
const struct counter_place *counter_table_find(const struct counter_table *table,
					       enum counter_kind kind, size_t a, size_t b);
size_t counter_table_count(const struct counter_table *table);
struct counter_place *counter_table_at(const struct counter_table *table, size_t number);

/* To add to. */
struct counter_sums *counter_place_sums(struct counter_place *place, size_t event);
/* Whether what was not counted there is 0: false for a thread, or a process, that did not count the
 * event. */
bool counter_place_knows(const struct counter_place *place, size_t event);
/* To read; zeros if nothing was counted. */
const struct counter_sum *counter_place_sum(const struct counter_place *place, size_t event,
					    enum counter_part part);
void counter_sum_add(struct counter_sum *to, const struct counter_sum *from);
