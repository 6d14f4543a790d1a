/* SPDX-License-Identifier: MIT */
/* Where a part of the program lies that one thread runs while the others have nothing to do: down
 * the tree of calls, to the deepest routine that has most of it with what it calls.
 *
 * What such a part took is told by one of two measures. Where the others sleep meanwhile, the time
 * in which no other thread was on a processor; where they spin, the time of the thread itself, in
 * routines that only this thread runs. Context: pure but for names. */
#pragma once

#include "analyze/model/time/routine_time.h"

#include <stdbool.h>

struct run;

enum finding_measure { FINDING_ALONE, FINDING_CPU_TIME };

/* Which routines count: those that the function is true for; NULL: all. */
struct finding_part {
	enum finding_measure measure;
	bool (*is_counted)(const struct run *run, const struct routine_time *row);
};

/* What the routines of a part have of their own; and who has most of it. */
struct finding_part_sum {
	const struct routine_time *most; /* NULL: no sample was there */
	double sum_ns;
	size_t count;
};

/* A place, and how much of the part's time was there. */
struct finding_place {
	const struct routine_time *row; /* NULL: none is known */
	double ns;
};

/* Nobody looks for a part in the C library, or in an inlined leaf: an operator, a line's helper. */
bool finding_is_place(const struct run *run, const struct routine_time *row);
/* Nearly all of its time is one thread's. */
bool finding_is_of_one_thread(const struct routine_time *row);
struct finding_part_sum finding_part_sum(const struct run *run, const struct finding_part *part);
/* The deepest routine of the user's below which most of it was: of those that have most of it with
 * what they call, the one with the least; else who has most of its own. is_single: of those that
 * one thread runs. */
struct finding_place finding_place_of(const struct run *run, const struct finding_part *part,
				      const struct finding_part_sum *sum, bool is_single);
