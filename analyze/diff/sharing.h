/* SPDX-License-Identifier: MIT */
/* The same work done by more threads, or fewer, or distributed otherwise: a cause that no routine's
 * CPU time shows.
 *
 * Figures of a routine (section routines):
 *   elapsed  its share of elapsed time, including what it calls
 *   alone    the part of it while no other thread of the process ran
 *   longest  CPU time of the thread that ran it longest, without what it calls
 *   threads  number of threads that ran it
 *
 * A routine is such a cause if at least twice as much has changed as its CPU time explains, in one
 * of three ways (enum sharing). Context: pure. */
#pragma once

#include "analyze/diff/change.h"

enum sharing {
	SHARING_NONE,
	SHARING_PARALLEL, /* one thread ran it, and then several, or vice versa: elapsed */
	SHARING_EVEN,     /* several on both sides: longest */
	SHARING_ALONE,    /* several on both sides, and it ran alone for another part of elapsed: a
			     consequence of waits, if there are any that explain as much */
};

/* change: "elapsed" or "longest", or none of all this. */
enum sharing sharing_of(const struct changes *changes, const struct change *change);
/* The innermost of the routines that account for as much as this one; itself, if there is none. */
const struct change *sharing_innermost(const struct changes *changes, const struct change *change);
/* "parse (x.c) ran in one thread, alone for 1.35 s; now in 2, alone for 20 ms"; released by the
 * caller. */
char *sharing_text(const struct changes *changes, const struct change *change, const char *name);
/* Is it a figure that is shown only if it is a cause? */
bool sharing_is_figure(const struct figure *figure);
