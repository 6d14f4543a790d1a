/* SPDX-License-Identifier: MIT */
/* Has all work changed by one factor: more data, or a slower processor?
 *
 * It is more, or less, of the same work if at least half of the counts of calls and bytes have
 * changed by one factor, to 5 %, and routines with nine tenths of the sampled CPU time have roughly
 * followed, to 40 % and two sampling errors. Counts are exact, so they determine the factor. If
 * counts are the same, or there are none, all work takes longer if those routines have changed by
 * the factor of the CPU time, to 15 % and two sampling errors. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

enum growth_kind {
	GROWTH_NONE,
	GROWTH_OF_WORK,  /* times and counts */
	GROWTH_OF_TIMES, /* counts are the same, or there are none: everything took longer, or less
			    long */
};

struct growth {
	enum growth_kind kind;
	double factor;
	double cpu_factor;
};

struct growth growth_of(const struct changes *changes);
