/* SPDX-License-Identifier: MIT */
/* Who kept whom waiting: for an object and operation, the time by holder and by victim.
 *
 * A profile knows for each thread and object by which places it was kept waiting (blame), and at
 * which places it waited. Where a thread waited for the object at one place only, or was kept by
 * one only, the pair is exact; otherwise each place that waited gets of each holder's time the
 * share that it has of the thread's waiting, and the pair is `estimated`. Either way the sums over
 * holders are the row's waiters, and the sums over victims its blame (to the rounding of 1 ns a
 * pair). Context: pure. */
#pragma once

#include "analyze/model/grade.h"

#include <stddef.h>
#include <stdint.h>

struct sync_pair {
	size_t holder, victim; /* routines, numbers in names */
	unsigned holder_line, victim_line;
	uint64_t time_ns;
	enum grade grade;
};

struct sync_pairs {
	struct sync_pair *rows; /* the most time first */
	size_t count, capacity;
};
