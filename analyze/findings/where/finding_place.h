/* SPDX-License-Identifier: MIT */
/* The place of a part of the program that one thread runs while the others have nothing to do:
 * found by descending the tree of calls to the deepest routine that has most of it including what
 * it calls.
 *
 * How long such a part took is told by one of three measures. If the others sleep meanwhile: the
 * time in which no other thread was on a processor. If they spin: the time of the thread itself, in
 * routines that only this thread runs. For OpenMP: the serial time of the threads that start teams.
 * Context: pure but for names. */
#pragma once

#include "analyze/model/time/routine_time.h"

#include <stdbool.h>

struct run;

enum finding_measure { FINDING_ALONE, FINDING_CPU_TIME, FINDING_SERIAL };

/* Which routines count: those for which the function returns true; NULL: all. */
struct finding_part {
	enum finding_measure measure;
	bool (*is_counted)(const struct run *run, const struct routine_time *row);
};

/* The self time of all routines of a part, marks as [profiler] included, and of those that are code
 * how many there are and which has most of it. */
struct finding_part_sum {
	const struct routine_time *most; /* NULL: no sample was in code */
	double sum_ns;
	size_t count;
};

/* A place, and how much of the part's time was there. */
struct finding_place {
	const struct routine_time *row; /* NULL: none is known */
	double ns;
};

/* Is the routine one that a user would look for? Not if it is in the C library or another runtime,
 * or is an inlined leaf: an operator, a one-line helper. */
bool finding_is_place(const struct run *run, const struct routine_time *row);
/* Does one thread have nearly all of its time, with what it calls? Of its self time a few samples
 * may all be one thread's by chance. */
bool finding_is_of_one_thread(const struct routine_time *row);
struct finding_part_sum finding_part_sum(const struct run *run, const struct finding_part *part);
/* The deepest routine of the user's code below which most of it was: of those that have most of it
 * including what they call, the one with the least; if there is none, the one with the most self
 * time. is_single: only routines that one thread runs; for FINDING_SERIAL, that run in serial parts
 * alone. */
struct finding_place finding_place_of(const struct run *run, const struct finding_part *part,
				      const struct finding_part_sum *sum, bool is_single);
